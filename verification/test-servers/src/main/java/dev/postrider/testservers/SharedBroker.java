package dev.postrider.testservers;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** The one broker of its kind in a build: the first JVM that needs it starts it, later ones join. */
final class SharedBroker {
    private static final Map<BrokerKind, Broker> IN_USE = new EnumMap<>(BrokerKind.class);

    private final BrokerEngine engine;

    private SharedBroker(BrokerEngine engine) {
        this.engine = engine;
    }

    /** The broker of this build: the one that the environment names, or one that is started now or was before. */
    static synchronized Broker of(BrokerEngine engine) {
        return IN_USE.computeIfAbsent(engine.kind(), kind -> new SharedBroker(engine).find());
    }

    private Broker find() {
        Broker broker =
                BrokerAddress.fromEnvironment(engine.kind()).map(this::given).orElseGet(this::startOrJoin);
        System.err.println("Test server: " + broker.description());
        return broker;
    }

    private Broker given(BrokerAddress address) {
        var broker = new Broker(address, "given by " + engine.kind().variable());
        if (!broker.accepts()) {
            throw new ServerUnavailableException(
                    broker.description() + " does not answer: correct the variable, or unset it to have one started");
        }
        return broker;
    }

    private Broker startOrJoin() {
        BuildDirectory build = BuildDirectory.current();
        String name = engine.kind().id();
        return FileLocks.holding(
                build.lockOf(name), () -> running(build.shared(name)).orElseGet(() -> start(build.shared(name))));
    }

    private Optional<Broker> running(ServerDirectory directory) {
        if (!directory.hasAddress()) {
            return Optional.empty();
        }
        Properties noted = directory.readAddress();
        var address = BrokerAddress.local(engine.kind(), Integer.parseInt(noted.getProperty("port")));
        var broker = new Broker(address, noted.getProperty("origin"));
        if (broker.accepts()) {
            return Optional.of(broker);
        }
        throw new ServerUnavailableException(broker.description()
                + ", which all tests share, does not answer any more. Its log: " + directory.log());
    }

    private Broker start(ServerDirectory directory) {
        PrivateBroker broker = new BrokerLauncher(engine).start(directory);
        directory.writeAddress(broker.port(), broker.origin());
        return broker;
    }
}
