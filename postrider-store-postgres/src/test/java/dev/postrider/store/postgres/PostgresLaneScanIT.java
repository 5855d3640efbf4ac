package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.OutboxRow;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The scan, one interleaving at a time. */
class PostgresLaneScanIT {

    private static final Database DATABASE = Servers.postgres().createDatabase("scan");

    private TestOutbox outbox = TestOutbox.create(DATABASE.dataSource(), builder -> builder.lanes(4));

    @AfterEach
    void close() {
        outbox.close();
    }

    @Test
    void returnsALateCommitBeforeTheNextRowOfItsKey() throws SQLException {
        ScanDriver driver = ScanDriver.ofAllLanes(outbox.store());
        try (Connection a = outbox.begin()) {
            outbox.insert(a, "k");
            outbox.insertCommitted("x");
            outbox.insertCommitted("y");
            assertThat(driver.fetchKeys()).containsExactlyInAnyOrder("x", "y");
            driver.settle();
            a.commit();
        }
        outbox.insertCommitted("k");

        List<OutboxRow> rows = driver.fetchAll();

        assertThat(ScanDriver.keys(rows)).containsExactly("k", "k");
        assertThat(rows.get(0).seq()).isLessThan(rows.get(1).seq());
    }
}
