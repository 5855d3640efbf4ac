package dev.postrider.testservers;

import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;

/** Starts a broker by the first way that works on this machine, and says why the ones before it did not. */
final class BrokerLauncher {
    private static final int PORT_TRIES = 3;

    /** What was printed, so that many private brokers do not print it many times. */
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private final BrokerEngine engine;
    private final StringJoiner refusals = new StringJoiner("\n");

    BrokerLauncher(BrokerEngine engine) {
        this.engine = engine;
    }

    /** Starts a broker for one test. */
    static PrivateBroker startPrivate(BrokerEngine engine) {
        PrivateBroker broker = new BrokerLauncher(engine)
                .start(BuildDirectory.current().fresh(engine.kind().id()));
        System.err.println("Test server: " + broker.description() + " (private)");
        return broker;
    }

    /** Returns when the broker takes clients. */
    PrivateBroker start(ServerDirectory directory) {
        for (InstallationSource source : engine.sources()) {
            try {
                return start(source.install(), directory);
            } catch (ServerUnavailableException refused) {
                note(refused);
            }
        }
        try {
            return startContainer(directory);
        } catch (ServerUnavailableException refused) {
            note(refused);
        }
        throw new ServerUnavailableException(
                "%s is needed for this test and cannot be had:%n%s%nSet %s to the address of one, or make one of these work."
                        .formatted(
                                engine.kind().label(), refusals, engine.kind().variable()));
    }

    private void note(ServerUnavailableException refused) {
        refusals.add("  - " + refused.getMessage());
        String line = "Test server: %s: %s; trying the next way"
                .formatted(engine.kind().label(), refused.getMessage());
        if (SAID.add(line)) {
            System.err.println(line);
        }
    }

    private PrivateBroker start(Installation installation, ServerDirectory directory) {
        for (int tries = 1; ; tries++) {
            try {
                return startOnFreePorts(installation, directory);
            } catch (ServerUnavailableException failed) {
                // Somebody may have taken a port in the meantime.
                if (tries == PORT_TRIES) {
                    throw failed;
                }
            }
        }
    }

    private PrivateBroker startOnFreePorts(Installation installation, ServerDirectory directory) {
        int port = FreePort.pick();
        int tlsPort = engine.hasTlsPort() ? FreePort.pick() : port;
        Command.run("rm", "-rf", directory.data().toString());
        Command.run("mkdir", "-p", directory.data().toString());
        var command = engine.prepare(installation, directory.data(), port, tlsPort);
        var instance = new ProcessInstance(installation, directory, command, engine.endSignals());
        return started(instance, port, tlsPort, installation.origin());
    }

    private PrivateBroker startContainer(ServerDirectory directory) {
        ContainerInstance.requireEngine();
        int port = FreePort.pick();
        ContainerImage image = engine.container();
        var instance = new ContainerInstance(directory, image, port);
        return started(instance, port, 0, "in a container of " + image.name());
    }

    private PrivateBroker started(Instance instance, int port, int tlsPort, String origin) {
        var broker = new PrivateBroker(BrokerAddress.local(engine.kind(), port), origin, instance, tlsPort);
        broker.start();
        return broker;
    }
}
