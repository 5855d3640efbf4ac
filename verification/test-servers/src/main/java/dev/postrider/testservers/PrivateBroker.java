package dev.postrider.testservers;

import dev.postrider.servers.BrokerLink;
import dev.postrider.servers.StartedBroker;
import java.time.Duration;

/**
 * A broker for one test alone, with a data directory of its own. The test may kill, freeze and restart it; data and ports
 * stay the same. Close it to end it and delete its data; one that is forgotten ends with the build.
 *
 * <p>Not safe for use by several threads at once.
 */
public class PrivateBroker extends Broker implements StartedBroker, OwnServer {
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

    @Override
    public BrokerLink cuttableLink() {
        return BrokerLink.to(uri());
    }

    @Override
    public final void start() {
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

    @Override
    public final Instance instance() {
        return instance;
    }
}
