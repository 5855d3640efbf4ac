package dev.postrider.testservers;

import dev.postrider.servers.BrokerLink;
import dev.postrider.servers.StartedBroker;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * A broker for one test alone, with a data directory of its own. The test may kill, freeze and restart it; data and ports
 * stay the same. Close it to end it and delete its data; one that is forgotten ends with the build.
 *
 * <p>Not safe for use by several threads at once.
 */
public class PrivateBroker extends Broker implements StartedBroker {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Instance instance;
    private final int tlsPort;

    PrivateBroker(BrokerAddress address, String origin, Instance instance, int tlsPort) {
        super(address, origin);
        this.instance = instance;
        this.tlsPort = tlsPort;
    }

    /** The port on which it speaks TLS with {@link #certificate()}; may be the plain one. */
    public final int tlsPort() {
        if (tlsPort == 0) {
            throw new ServerUnavailableException(description() + " has no TLS; tests of TLS need installed programs");
        }
        return tlsPort;
    }

    /** With what it proves its identity. */
    public final TestCertificate certificate() {
        return TestCertificate.forThisMachine();
    }

    /** Sends SIGKILL to the broker and all its children and returns when they are gone: a crash without any farewell. */
    @Override
    public final void killHard() {
        instance.killHard();
    }

    /** Shuts the broker down cleanly and returns when it is gone. Its data stays for {@link #restart}. */
    public final void stop() {
        instance.stop();
    }

    /** Starts it again on the same data and ports, and returns when it takes clients. Stops it first if it runs. */
    @Override
    public final void restart() {
        instance.stop();
        start();
    }

    /** Sends SIGSTOP to the broker and all its children: connections stay open and nothing answers. */
    public final void freeze() {
        instance.freeze();
    }

    /** Lets a frozen broker go on. */
    public final void thaw() {
        instance.thaw();
    }

    /** Whether the process lives; a frozen one does. */
    public final boolean isRunning() {
        return instance.isRunning();
    }

    /** Its process, whose children belong to it too; empty if it runs in a container. */
    @Override
    public final OptionalLong processId() {
        return instance.processId();
    }

    @Override
    public BrokerLink cuttableLink() {
        return BrokerLink.to(uri());
    }

    /** Ends the broker at once and deletes its data. */
    @Override
    public void close() {
        instance.discard();
    }

    final void start() {
        instance.start();
        Await.until(PATIENCE, () -> accepts() || !instance.isRunning());
        if (!instance.isRunning() || !accepts()) {
            String log = instance.endOfLog();
            instance.killHard();
            throw new ServerUnavailableException(description() + " did not get ready:\n" + log);
        }
    }

    final int tlsPortOrNone() {
        return tlsPort;
    }

    final Instance instance() {
        return instance;
    }
}
