package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Settings of the driver that change what it sends: a relay at its defaults delivers with each of them. */
class PostgresDriverSettingsIT {

    private static final Database DATABASE = Servers.postgres().createDatabase("driver");
    private static final Duration SOON = Duration.ofSeconds(60);

    /** With autosave the driver sets savepoints by itself: what it writes then has numbers of subtransactions. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "autosave=always",
                "autosave=conservative",
                "autosave=always&cleanupSavepoints=true",
                "preferQueryMode=simple",
                "preferQueryMode=extendedCacheEverything",
                "reWriteBatchedInserts=true"
            })
    void aRelayDeliversAndTriesAgain(String setting) throws Exception {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(DATABASE.jdbcUrl() + (DATABASE.jdbcUrl().contains("?") ? "&" : "?") + setting);
        dataSource.setUser(DATABASE.user());
        dataSource.setPassword(DATABASE.password());
        RecordingDestination destination = new RecordingDestination("broker");
        destination.answerNext(DeliveryResult.retry("not now"));
        try (HikariDataSource pool = TestOutbox.pool(dataSource)) {
            TestOutbox outbox = TestOutbox.create(pool);
            try (Relay relay = Relay.withDefaults(outbox.store(), destination)) {
                relay.start();
                for (int i = 0; i < 10; i++) {
                    outbox.insertCommitted("a", "b", "c");
                }
                destination.awaitDelivered(30, SOON);
            }
            assertThat(outbox.query("SELECT count(*) FROM {outbox}")).isEqualTo("0");
        }
    }
}
