package dev.postrider.service.doctor;

import dev.postrider.internal.Readable;
import dev.postrider.service.OutboxConfig;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.doctor.Questions.Row;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks whether the pool has a connection for each worker, and the server as many as the pool may ask for. */
final class PoolCheck implements Check {

    /** Renewing leases, housekeeping, and questions over HTTP. */
    private static final int BESIDE_WORKERS = 3;

    private final DatabaseKind kind;
    private final ExaminedOutbox outbox;
    private final Questions questions;

    PoolCheck(DatabaseKind kind, ExaminedOutbox outbox, Questions questions) {
        this.kind = kind;
        this.outbox = outbox;
        this.questions = questions;
    }

    @Override
    public String name() {
        return "connections";
    }

    @Override
    public List<Finding> run() throws SQLException {
        if (outbox.config().isEmpty()) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>();
        int pool = outbox.database().poolSize();
        int needed = outbox.config().map(OutboxConfig::workers).orElseThrow() + BESIDE_WORKERS;
        if (pool < needed) {
            findings.add(Finding.warning(
                    "pool-size is %d, but %s need %d connections"
                            .formatted(pool, Readable.count(needed - BESIDE_WORKERS, "worker"), needed),
                    "workers wait for connections, and the renewal of leases may come late",
                    "Set database.pool-size to at least " + needed));
        }
        free().filter(free -> free < pool).ifPresent(free -> findings.add(tooMany(pool, free)));
        return findings;
    }

    private Optional<Long> free() throws SQLException {
        return switch (kind) {
            case POSTGRES -> Optional.of(left(questions.row("""
                    SELECT current_setting('max_connections')::int
                             - current_setting('superuser_reserved_connections')::int AS allowed,
                           (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used""")));
            case MYSQL, MARIADB, TIDB -> Optional.of(left(questions.row("""
                    SELECT @@max_connections AS allowed,
                           (SELECT COUNT(*) FROM information_schema.processlist) AS used""")));
            case H2 -> Optional.empty();
        };
    }

    private static long left(Row row) {
        // TiDB says 0 for any number.
        return row.number("allowed") == 0 ? Long.MAX_VALUE : row.number("allowed") - row.number("used");
    }

    private static Finding tooMany(int pool, long free) {
        return Finding.warning(
                "pool-size is %d, the server has %d connections left".formatted(pool, free),
                "relays under load, or one more of them, are refused connections",
                "Lower database.pool-size, or raise the server's max_connections");
    }
}
