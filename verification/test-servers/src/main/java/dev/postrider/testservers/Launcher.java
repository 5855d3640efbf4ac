package dev.postrider.testservers;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Starts a database server, by the first way that works on this machine. */
final class Launcher {
    private final Engine engine;
    private final Map<String, String> settings;

    Launcher(Engine engine, Map<String, String> settings) {
        this.engine = engine;
        this.settings = settings;
    }

    /** Returns when the server accepts connections. */
    PrivateServer start(ServerDirectory directory) {
        return new FirstWay(engine.kind().label(), engine.kind().variable())
                .of(engine.sources(), installation -> start(installation, directory), () -> startContainer(directory));
    }

    private PrivateServer start(Installation installation, ServerDirectory directory) {
        DataTemplate.copy(engine, installation, directory.data());
        return startOn(installation, directory);
    }

    /** Starts on a data directory that is there already. */
    PrivateServer startOn(Installation installation, ServerDirectory directory) {
        installation.runner().handOver(directory.data());
        return FirstWay.onFreePorts(() -> {
            int port = FreePort.pick();
            List<String> command = engine.startCommand(installation, directory.data(), port, settings);
            return started(
                    new ProcessInstance(installation, directory, command, engine.endSignals()),
                    port,
                    installation.origin());
        });
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

    /** An initialised data directory, made once per version and copied for each server: a copy takes a tenth of the time. */
    private static final class DataTemplate {
        private DataTemplate() {}

        static void copy(Engine engine, Installation installation, Path data) {
            Path template =
                    Cache.once("data-" + installation.fingerprint(), fresh -> engine.initialise(installation, fresh));
            Command.run("rm", "-rf", data.toString());
            Command.run("cp", "-a", template.toString(), data.toString());
        }
    }
}
