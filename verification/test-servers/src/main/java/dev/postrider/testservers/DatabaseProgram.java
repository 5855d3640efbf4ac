package dev.postrider.testservers;

import dev.postrider.servers.ServerProfile;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * A database server that can be started. Commits are durable by default.
 *
 * @param roomy settings that give it memory for a working set
 * @param relaxed settings with which a commit does not wait for the disk
 */
record DatabaseProgram(
        Function<Map<String, String>, PrivateServer> program, Map<String, String> roomy, Map<String, String> relaxed) {

    /** By the names of the command line. */
    static final Map<String, DatabaseProgram> BY_NAME = Map.of(
            "postgres",
                    new DatabaseProgram(
                            PostgresServer::startPrivate,
                            Map.of("shared_buffers", "512MB", "max_wal_size", "4GB"),
                            Map.of("fsync", "off", "full_page_writes", "off", "synchronous_commit", "off")),
            "mysql",
                    new DatabaseProgram(
                            MysqlServer::startPrivate,
                            Map.of("innodb-buffer-pool-size", "1G", "innodb-redo-log-capacity", "1G"),
                            Map.of("skip-log-bin", "", "innodb-flush-log-at-trx-commit", "2")),
            "mariadb",
                    new DatabaseProgram(
                            MariadbServer::startPrivate,
                            Map.of("innodb-buffer-pool-size", "1G", "innodb-log-file-size", "1G"),
                            Map.of("innodb-flush-log-at-trx-commit", "2")),
            "tidb", new DatabaseProgram(TidbServer::startPrivate, Map.of(), Map.of()));

    PrivateServer start(ServerProfile profile) {
        return program.apply(settings(profile));
    }

    private Map<String, String> settings(ServerProfile profile) {
        Map<String, String> settings = new HashMap<>();
        if (profile != ServerProfile.SMALL) {
            settings.putAll(roomy);
        }
        if (profile == ServerProfile.RELAXED) {
            settings.putAll(relaxed);
        }
        return settings;
    }
}
