package dev.postrider.testservers;

import java.util.Map;

/**
 * A streaming replica of a private PostgreSQL server. It answers reading queries until it is promoted; then it is a
 * primary of its own. The primary should be killed or stopped before, as a fail-over tool would.
 */
public final class PostgresStandby extends PrivateServer {

    private PostgresStandby(PrivateServer started) {
        super(started);
    }

    static PostgresStandby of(PrivateServer primary) {
        if (!(primary.instance() instanceof ProcessInstance process)) {
            throw new ServerUnavailableException("A standby needs a primary that runs as a process, not " + primary);
        }
        ServerDirectory directory = BuildDirectory.current().fresh("standby");
        String slot = "standby_" + directory.path().getFileName().toString().replaceAll("\\D", "");
        new PostgresBackup(primary, process.directory().data()).takeTo(directory.data(), slot);
        Map<String, String> settings = Map.of(
                "primary_conninfo",
                "host=127.0.0.1 port=%d user=%s".formatted(primary.port(), primary.user()),
                "primary_slot_name",
                slot);
        var launcher = new Launcher(new PostgresEngine(), settings);
        var standby = new PostgresStandby(launcher.startOn(process.installation(), directory));
        System.err.println("Test server: " + standby.description() + " (standby of port " + primary.port() + ")");
        return standby;
    }

    /** Makes this server a primary and returns when it accepts writes. */
    public void promote() {
        execute("SELECT pg_promote(true, 60)");
    }
}
