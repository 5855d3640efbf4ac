package dev.postrider.testservers;

/**
 * A server for one test alone, with a data directory of its own. The test may kill, freeze and restart it; data
 * directory and port stay the same. Close it to end it and delete its data; one that is forgotten ends with the build.
 *
 * <p>Not safe for use by several threads at once.
 */
public class PrivateServer extends DatabaseServer implements OwnServer {
    private final Instance instance;

    PrivateServer(DatabaseKind kind, JdbcAddress address, String origin, Instance instance) {
        super(kind, address, origin);
        this.instance = instance;
    }

    PrivateServer(PrivateServer started) {
        this(started.kind(), started.address(), started.origin(), started.instance);
    }

    @Override
    public final void start() {
        instance.start();
        ReadyCheck.await(this, instance);
    }

    @Override
    public final Instance instance() {
        return instance;
    }
}
