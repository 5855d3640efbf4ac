package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.relay.Relay;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.StoreException;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.NotOnTidb;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An import that dies at any step, or while others write and relay, loses nothing and doubles nothing. */
class ImportCrashIT {

    private static final int ROWS = 5;

    private final RecordingDestination broker = new RecordingDestination("broker");
    private final List<String> ids = new ArrayList<>();

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MYSQL"})
    void goesOnWhereItDiedInOneDatabase(Server server) {
        Tables tables = Tables.empty(server, server == Server.POSTGRES ? Preset.EVENT_OUTBOX : Preset.PENDING_WAIT);
        OutboxStore outbox = TableImportIT.outbox(server, tables.dataSource());
        CutDataSource cut = new CutDataSource(tables.dataSource());

        dieAtEveryStep(tables, cut, () -> TableImportIT.from(tables.preset, cut.dataSource()), outbox);
    }

    @Test
    void goesOnWhereItDiedBetweenTwoDatabases() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.RECORDS);
        CutDataSource cut = new CutDataSource(tables.dataSource());
        try (HikariDataSource elsewhere = Server.pool(Server.POSTGRES.newDatabase(), "")) {
            OutboxStore outbox = TableImportIT.outbox(Server.POSTGRES, elsewhere);
            dieAtEveryStep(
                    tables,
                    cut,
                    () -> TableImportIT.from(tables.preset, cut.dataSource()).target(elsewhere),
                    outbox);
        }
    }

    private interface Source {
        TableImport.Builder open();
    }

    private void dieAtEveryStep(Tables tables, CutDataSource cut, Source source, OutboxStore outbox) {
        int step = 0;
        do {
            for (int n = 0; n < ROWS; n++) {
                ids.add(tables.insert("key", "{\"n\": " + n + "}"));
            }
            TableImport dying = source.open().batchRows(2).into(outbox);
            cut.cutBefore(step++);
            try {
                dying.run();
            } catch (StoreException dead) {
                assertThat(cut.isCut()).isTrue();
            }
            boolean wasCut = cut.isCut();
            cut.cutBefore(Integer.MAX_VALUE);
            assertThat(source.open().into(outbox).run().left()).isZero();
            if (!wasCut) {
                break;
            }
        } while (true);
        Relay.withDefaults(outbox, broker).drainOnce();
        assertThat(step).isGreaterThan(8);
        assertThat(CompetingRelaysIT.idsOf(broker.delivered())).isEqualTo(ids);
    }

    @Test
    @NotOnTidb("the old relay is a leader there; the import names it, and it must be stopped before")
    void takesEveryRowOnceWhileServicesWriteAndAnOldRelayStillRuns() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.ENUM_STATUS);
        DataSource dataSource = tables.dataSource();
        OutboxStore outbox = TableImportIT.outbox(Server.MYSQL, dataSource);
        ids.addAll(tables.insert(200));
        CompletableFuture<List<String>> written = CompletableFuture.supplyAsync(() -> tables.insert(100));

        try (Relay old = Relay.builder(tables.store().build(), broker)
                .ordering(Ordering.NONE)
                .batchSize(5)
                .build()) {
            old.start();
            while (!written.isDone()) {
                TableImportIT.from(tables.preset, dataSource)
                        .batchRows(10)
                        .into(outbox)
                        .run();
            }
        }
        ids.addAll(written.join());
        assertThat(TableImportIT.from(tables.preset, dataSource)
                        .into(outbox)
                        .run()
                        .left())
                .isZero();

        Relay.withDefaults(outbox, broker).drainOnce();
        assertThat(CompetingRelaysIT.idsOf(broker.delivered())).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(tables.count("status <> 'sent'")).isZero();
    }

    @Test
    void leavesLaterRowsOfAKeyBehindOneThatARelayIsSending() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.ENUM_STATUS);
        String first = tables.insert("key", "{}");
        tables.insert("key", "{}");
        tables.insert("other", "{}");
        tables.execute(
                "UPDATE outbox SET status = 'sending', next_attempt_at = '2036-01-01' WHERE event_id = ?", first);
        OutboxStore outbox = TableImportIT.outbox(Server.MYSQL, tables.dataSource());

        assertThat(TableImportIT.from(tables.preset, tables.dataSource())
                        .into(outbox)
                        .run())
                .isEqualTo(new ImportReport(1, 0, 2, false));
    }
}
