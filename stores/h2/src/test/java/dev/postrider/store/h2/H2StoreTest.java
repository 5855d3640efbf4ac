package dev.postrider.store.h2;

import dev.postrider.testkit.StoreContract;
import dev.postrider.testkit.StoreFixture;

class H2StoreTest extends StoreContract {

    @Override
    protected StoreFixture newFixture(StoreFixture.Setup setup) {
        return H2Fixture.open(setup);
    }
}
