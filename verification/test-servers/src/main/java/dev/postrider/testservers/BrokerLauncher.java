package dev.postrider.testservers;

/** Starts a broker, by the first way that works on this machine. */
final class BrokerLauncher {
    private final BrokerEngine engine;

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
        return new FirstWay(engine.kind().label(), engine.kind().variable())
                .of(
                        engine.sources(),
                        installation -> FirstWay.onFreePorts(() -> start(installation, directory)),
                        () -> startContainer(directory));
    }

    private PrivateBroker start(Installation installation, ServerDirectory directory) {
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
