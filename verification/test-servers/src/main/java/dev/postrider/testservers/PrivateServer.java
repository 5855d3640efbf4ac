package dev.postrider.testservers;

import dev.postrider.servers.RestartableServer;
import java.util.OptionalLong;

/**
 * A server for one test alone, with a data directory of its own. The test may kill, freeze and restart it; data
 * directory and port stay the same. Close it to end it and delete its data; one that is forgotten ends with the build.
 *
 * <p>Not safe for use by several threads at once.
 */
public class PrivateServer extends DatabaseServer implements RestartableServer {
    private final Instance instance;

    PrivateServer(DatabaseKind kind, JdbcAddress address, String origin, Instance instance) {
        super(kind, address, origin);
        this.instance = instance;
    }

    PrivateServer(PrivateServer started) {
        this(started.kind(), started.address(), started.origin(), started.instance);
    }

    /** Sends SIGKILL to the server and all its children and returns when they are gone: a crash without any farewell. */
    @Override
    public final void killHard() {
        instance.killHard();
    }

    /** Shuts the server down cleanly and returns when it is gone. Its data stays for {@link #restart}. */
    public final void stop() {
        instance.stop();
    }

    /** Starts the server again on the same data and port, and returns when it accepts connections. Stops it first if it runs. */
    @Override
    public final void restart() {
        instance.stop();
        instance.start();
        ReadyCheck.await(this, instance);
    }

    /** Sends SIGSTOP to the server and all its children: connections stay open and nothing answers. */
    public final void freeze() {
        instance.freeze();
    }

    /** Lets a frozen server go on. */
    public final void thaw() {
        instance.thaw();
    }

    /** Whether the server process lives; a frozen one does. */
    public final boolean isRunning() {
        return instance.isRunning();
    }

    /** Its process, whose children belong to it too; empty if it runs in a container. */
    @Override
    public final OptionalLong processId() {
        return instance.processId();
    }

    /** Ends the server at once and deletes its data. */
    @Override
    public void close() {
        instance.discard();
    }

    final Instance instance() {
        return instance;
    }
}
