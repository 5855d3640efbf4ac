package dev.postrider.testservers;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;

/** Starts a server by the first way that works on this machine, and says why the ones before it did not. */
final class Launcher {
    private static final int PORT_TRIES = 3;

    /** What was printed, so that a hundred private servers do not print it a hundred times. */
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private final Engine engine;
    private final Map<String, String> settings;
    private final StringJoiner refusals = new StringJoiner("\n");

    Launcher(Engine engine, Map<String, String> settings) {
        this.engine = engine;
        this.settings = settings;
    }

    /** Returns when the server accepts connections. */
    PrivateServer start(ServerDirectory directory) {
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

    private PrivateServer start(Installation installation, ServerDirectory directory) {
        DataTemplate.copy(engine, installation, directory.data());
        return startOn(installation, directory);
    }

    /** Starts on a data directory that is there already. */
    PrivateServer startOn(Installation installation, ServerDirectory directory) {
        installation.runner().handOver(directory.data());
        for (int tries = 1; ; tries++) {
            int port = FreePort.pick();
            List<String> command = engine.startCommand(installation, directory.data(), port, settings);
            try {
                return started(
                        new ProcessInstance(installation, directory, command, engine.endSignals()),
                        port,
                        installation.origin());
            } catch (ServerUnavailableException failed) {
                // Somebody may have taken the port in the meantime.
                if (tries == PORT_TRIES) {
                    throw failed;
                }
            }
        }
    }

    private PrivateServer startContainer(ServerDirectory directory) {
        ContainerInstance.requireEngine();
        int port = FreePort.pick();
        ContainerImage image = engine.container(settings);
        return started(new ContainerInstance(directory, image, port), port, "in a container of " + image.name());
    }

    private PrivateServer started(Instance instance, int port, String origin) {
        var server = new PrivateServer(engine.kind(), engine.kind().local(port), origin, instance);
        instance.start();
        try {
            ReadyCheck.await(server, instance);
            return server;
        } catch (ServerUnavailableException failed) {
            instance.killHard();
            throw failed;
        }
    }
}
