package dev.postrider.launcherservers;

import dev.postrider.servers.ServerProfile;
import dev.postrider.servers.ServerStarter;
import dev.postrider.servers.StartedBroker;
import dev.postrider.servers.StartedDatabase;
import dev.postrider.testservers.KafkaServer;
import dev.postrider.testservers.NatsServer;
import dev.postrider.testservers.RabbitmqServer;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Starts the servers that the tests of this repository use. */
public final class RepositoryServers implements ServerStarter {

    private static final Map<String, Supplier<StartedBroker>> BROKERS = Map.of(
            "kafka", () -> new OwnKafka(KafkaServer.startPrivate()),
            "rabbitmq", () -> new OwnBroker(RabbitmqServer.startPrivate()),
            "nats", () -> new OwnBroker(NatsServer.startPrivate()));

    @Override
    public Set<String> databases() {
        return DatabaseProgram.BY_NAME.keySet();
    }

    @Override
    public Set<String> brokers() {
        return BROKERS.keySet();
    }

    @Override
    public StartedDatabase startDatabase(String name, ServerProfile profile) {
        return new OwnDatabase(DatabaseProgram.BY_NAME.get(name).start(profile));
    }

    @Override
    public StartedBroker startBroker(String name) {
        return BROKERS.get(name).get();
    }
}
