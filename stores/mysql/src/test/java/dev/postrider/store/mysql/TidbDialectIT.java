package dev.postrider.store.mysql;

import dev.postrider.testkit.StoreContract;
import dev.postrider.testkit.StoreFixture;
import java.sql.SQLException;

/** TiDB's statements, run by MySQL: from the head, with creation times given by the writer. */
class TidbDialectIT extends StoreContract {

    @Override
    protected StoreFixture newFixture(StoreFixture.Setup setup) {
        MysqlFixture fixture =
                MysqlFixture.open(TestServer.MYSQL, setup, "tidb", builder -> builder.flavor(Flavor.TIDB));
        try {
            // The suite's writer in another language leaves the time out, which TiDB would not let it.
            fixture.execute(
                    "ALTER TABLE " + fixture.table("") + " ALTER COLUMN created_at SET DEFAULT (UTC_TIMESTAMP(6))");
        } catch (SQLException error) {
            throw new IllegalStateException(error);
        }
        return fixture;
    }
}
