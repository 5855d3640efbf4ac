package dev.postrider.store.mysql;

import dev.postrider.testkit.StoreContract;
import dev.postrider.testkit.StoreFixture;

class MysqlByMariadbClientStoreIT extends StoreContract {

    @Override
    protected StoreFixture newFixture(StoreFixture.Setup setup) {
        return MysqlFixture.open(TestServer.MYSQL_BY_MARIADB_CLIENT, setup);
    }
}
