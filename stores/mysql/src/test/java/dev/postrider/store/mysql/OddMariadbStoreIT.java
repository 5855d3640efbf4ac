package dev.postrider.store.mysql;

import dev.postrider.testkit.StoreContract;
import dev.postrider.testkit.StoreFixture;

/** The other server's driver, and a pool that is SERIALIZABLE, without auto-commit and in another time zone. */
class OddMariadbStoreIT extends StoreContract {

    @Override
    protected StoreFixture newFixture(StoreFixture.Setup setup) {
        return MysqlFixture.open(TestServer.ODD_MARIADB, setup);
    }
}
