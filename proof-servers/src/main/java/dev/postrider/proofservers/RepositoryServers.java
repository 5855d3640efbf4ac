package dev.postrider.proofservers;

import dev.postrider.prove.server.ServerStarter;
import dev.postrider.prove.server.StartedBroker;
import dev.postrider.prove.server.StartedDatabase;
import dev.postrider.testservers.KafkaServer;
import dev.postrider.testservers.MariadbServer;
import dev.postrider.testservers.MysqlServer;
import dev.postrider.testservers.NatsServer;
import dev.postrider.testservers.PostgresServer;
import dev.postrider.testservers.PrivateServer;
import dev.postrider.testservers.RabbitmqServer;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Starts the servers that the tests of this repository use. */
public final class RepositoryServers implements ServerStarter {

    private static final Map<String, Supplier<PrivateServer>> DATABASES = Map.of(
            "postgres", PostgresServer::startPrivate,
            "mysql", MysqlServer::startPrivate,
            "mariadb", MariadbServer::startPrivate);

    private static final Map<String, Supplier<StartedBroker>> BROKERS = Map.of(
            "kafka", () -> new KafkaOfProof(KafkaServer.startPrivate()),
            "rabbitmq", () -> new BrokerOfProof(RabbitmqServer.startPrivate()),
            "nats", () -> new BrokerOfProof(NatsServer.startPrivate()));

    @Override
    public Set<String> databases() {
        return DATABASES.keySet();
    }

    @Override
    public Set<String> brokers() {
        return BROKERS.keySet();
    }

    @Override
    public StartedDatabase startDatabase(String name) {
        return new DatabaseOfProof(DATABASES.get(name).get());
    }

    @Override
    public StartedBroker startBroker(String name) {
        return BROKERS.get(name).get();
    }
}
