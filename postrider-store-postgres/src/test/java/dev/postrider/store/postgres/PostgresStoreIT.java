package dev.postrider.store.postgres;

import dev.postrider.testkit.StoreContract;
import dev.postrider.testkit.StoreFixture;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.sql.SQLException;

class PostgresStoreIT extends StoreContract {

    private static final Database DATABASE = Servers.postgres().createDatabase("contract");

    @Override
    protected StoreFixture newFixture(StoreFixture.Setup setup) {
        try {
            return PostgresFixture.open(DATABASE.dataSource(), setup);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
