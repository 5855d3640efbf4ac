package dev.postrider.store.existing;

import dev.postrider.spi.OutboxStore;
import dev.postrider.testservers.Servers;
import java.time.Duration;
import javax.sql.DataSource;

/** The ways in which rows become a relay's own. */
enum Layout {
    OPEN_TRANSACTION_POSTGRES(Server.POSTGRES, Preset.EVENT_OUTBOX),
    OPEN_TRANSACTION_MYSQL(Server.MYSQL, Preset.RECORDS),
    NEXT_ATTEMPT(Server.MYSQL, Preset.ENUM_STATUS),
    CLAIMED_UNTIL(Server.POSTGRES, Preset.EVENT_OUTBOX) {
        @Override
        TableMapping mapping() {
            return super.mapping().toBuilder()
                    .column(Role.CLAIMED_UNTIL, "claimed_until")
                    .retryDelay(Duration.ofHours(1), Duration.ofHours(1))
                    .build();
        }

        @Override
        Tables empty() {
            Tables tables = super.empty();
            tables.execute("ALTER TABLE event_outbox ADD COLUMN IF NOT EXISTS claimed_until TIMESTAMPTZ");
            return tables;
        }
    },
    LEADER(Servers.isTidbForMysql() ? Server.MYSQL : Server.MARIADB, Preset.PENDING_WAIT) {
        @Override
        OutboxStore store(DataSource dataSource) {
            return MoveOutboxStore.builder(dataSource).build();
        }
    };

    private final Server server;
    private final Preset preset;

    Layout(Server server, Preset preset) {
        this.server = server;
        this.preset = preset;
    }

    TableMapping mapping() {
        return preset.mapping();
    }

    Tables empty() {
        return Tables.empty(server, preset);
    }

    OutboxStore store(DataSource dataSource) {
        return Tables.builder(dataSource, mapping()).build();
    }
}
