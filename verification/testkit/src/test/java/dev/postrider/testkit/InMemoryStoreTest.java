package dev.postrider.testkit;

class InMemoryStoreTest extends StoreContract {

    @Override
    protected StoreFixture newFixture(StoreFixture.Setup setup) {
        return new InMemoryFixture(setup);
    }
}
