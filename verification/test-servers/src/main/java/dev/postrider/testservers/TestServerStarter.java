package dev.postrider.testservers;

import dev.postrider.servers.ServerProfile;
import dev.postrider.servers.ServerStarter;
import dev.postrider.servers.StartedBroker;
import dev.postrider.servers.StartedDatabase;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Starts the servers of the tests for proofs and benchmarks. Only the module of whole-system tests offers it to the command line.
 */
public final class TestServerStarter implements ServerStarter {

    private static final Map<String, Supplier<StartedBroker>> BROKERS = Map.of(
            "kafka", KafkaServer::startPrivate,
            "rabbitmq", RabbitmqServer::startPrivate,
            "nats", NatsServer::startPrivate);

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
        PrivateServer server = DatabaseProgram.BY_NAME.get(name).start(profile);
        Database database = server.createDatabase("own");
        return new StartedDatabase(server, database.jdbcUrl(), database.user(), database.password());
    }

    @Override
    public StartedBroker startBroker(String name) {
        return BROKERS.get(name).get();
    }
}
