package dev.postrider.store.mysql;

import dev.postrider.testkit.StoreContract;
import dev.postrider.testkit.StoreFixture;

class MariadbStoreIT extends StoreContract {

    @Override
    protected StoreFixture newFixture(StoreFixture.Setup setup) {
        return MysqlFixture.open(TestServer.MARIADB, setup);
    }
}
