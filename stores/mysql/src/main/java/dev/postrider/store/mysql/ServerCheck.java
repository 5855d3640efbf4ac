package dev.postrider.store.mysql;

import dev.postrider.message.MessageLimits;
import java.util.Optional;
import java.util.regex.Pattern;

/** Refuses servers and settings on which the store could not keep its promises. Every refusal says what to change. */
final class ServerCheck {

    private static final Pattern VITESS = Pattern.compile("vitess|planetscale", Pattern.CASE_INSENSITIVE);

    private final ServerFacts server;

    ServerCheck(ServerFacts server) {
        this.server = server;
    }

    void check(ScanMode mode, MessageLimits limits) {
        requireVersion();
        requireRowBinlog();
        requirePacket(limits);
        if (mode == ScanMode.AUTO) {
            severalWriters().ifPresent(ServerCheck::refuseSeveralWriters);
        }
    }

    private void requireVersion() {
        ServerVersion oldest = server.flavor().oldest();
        if (server.version().compareTo(oldest) < 0) {
            throw new UnsupportedServerException(
                    "The server is %s, the outbox needs %s or newer".formatted(server.version(), oldest));
        }
    }

    /** At READ COMMITTED, without which relays would block writers, the server refuses to log statements. */
    private void requireRowBinlog() {
        boolean logsStatements = "STATEMENT".equalsIgnoreCase(server.variables().get("binlog_format"));
        if (server.isOn("log_bin") && logsStatements) {
            throw new UnsupportedServerException(
                    "The server's binlog_format is STATEMENT, which does not go with READ COMMITTED, "
                            + "the isolation level of the relay; set it to ROW or MIXED");
        }
    }

    private void requirePacket(MessageLimits limits) {
        long needed = InsertSize.packetFor(limits);
        long packet = server.number("max_allowed_packet", Long.MAX_VALUE);
        if (packet < needed) {
            throw new UnsupportedServerException(
                    "The server's max_allowed_packet is %d, messages of the allowed size need up to %d; raise it, or lower MessageLimits"
                            .formatted(packet, needed));
        }
    }

    /** Why several nodes may take writes at once, if so. The cursor needs numbers that are drawn in one place. */
    private Optional<String> severalWriters() {
        if (VITESS.matcher(server.variables().getOrDefault("version", "")).find()) {
            return Optional.of("it is Vitess, as PlanetScale runs it, which may keep a table on several servers");
        }
        if (server.isOn("wsrep_on") && server.isSet("wsrep_cluster_address")) {
            return Optional.of("it is a node of a Galera cluster");
        }
        if (server.isSet("group_replication_group_name") && !server.isOn("group_replication_single_primary_mode")) {
            return Optional.of("it belongs to group replication with several primaries");
        }
        if (server.number("auto_increment_increment", 1) > 1) {
            return Optional.of("its auto_increment_increment is " + server.number("auto_increment_increment", 1));
        }
        return Optional.empty();
    }

    private static void refuseSeveralWriters(String reason) {
        throw new UnsupportedServerException("Several nodes may take writes at once: " + reason
                + ". Messages could be missed or leave in the wrong order. If all writers and relays use one node, say "
                + "scanMode(SINGLE_WRITER); else say scanMode(HEAD) and run the relays with Ordering.NONE");
    }
}
