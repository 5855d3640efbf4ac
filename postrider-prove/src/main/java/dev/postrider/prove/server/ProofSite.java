package dev.postrider.prove.server;

import dev.postrider.prove.Fault;
import dev.postrider.prove.ProofException;
import dev.postrider.service.database.DatabaseSettings;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Where a proof takes place: a database and a broker. Close it, to end what was started for it. Not thread-safe.
 */
public final class ProofSite implements AutoCloseable {

    private final DatabaseSettings database;
    private final String brokerUri;
    private final Optional<StartedDatabase> startedDatabase;
    private final Optional<StartedBroker> startedBroker;

    private ProofSite(
            DatabaseSettings database,
            String brokerUri,
            Optional<StartedDatabase> startedDatabase,
            Optional<StartedBroker> startedBroker) {
        this.database = database;
        this.brokerUri = brokerUri;
        this.startedDatabase = startedDatabase;
        this.startedBroker = startedBroker;
    }

    /**
     * Finds or starts the servers.
     *
     * @param store a name that a {@link ServerStarter} knows, or a JDBC address
     * @param account completes the settings of a database that was given by its address
     * @param destination a name that a {@link ServerStarter} knows, or the URI of a broker
     */
    public static ProofSite open(
            String store, Function<DatabaseSettings.Builder, DatabaseSettings.Builder> account, String destination) {
        Optional<StartedDatabase> database = store.startsWith("jdbc:")
                ? Optional.empty()
                : Optional.of(starter("store", store, ServerStarter::databases).startDatabase(store));
        try {
            Optional<StartedBroker> broker = destination.contains("://")
                    ? Optional.empty()
                    : Optional.of(starter("destination", destination, ServerStarter::brokers)
                            .startBroker(destination));
            DatabaseSettings settings = database.map(StartedDatabase::settings)
                    .orElseGet(() -> account.apply(new DatabaseSettings.Builder().url(store))
                            .build());
            return new ProofSite(settings, broker.map(StartedBroker::uri).orElse(destination), database, broker);
        } catch (RuntimeException failed) {
            database.ifPresent(StartedDatabase::close);
            throw failed;
        }
    }

    private static ServerStarter starter(String what, String name, Function<ServerStarter, Set<String>> known) {
        List<ServerStarter> starters = ServiceLoader.load(ServerStarter.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        return starters.stream()
                .filter(starter -> known.apply(starter).contains(name))
                .findFirst()
                .orElseThrow(() -> new ProofException("No server can be started for --%s %s. %s"
                        .formatted(what, name, advice(what, starters, known))));
    }

    private static String advice(
            String what, List<ServerStarter> starters, Function<ServerStarter, Set<String>> known) {
        String addresses = what.equals("store")
                ? "jdbc:postgresql://host:5432/name"
                : "kafka://host:9092, amqp://user:password@host:5672 or nats://host:4222";
        if (starters.isEmpty()) {
            return "This program starts none, give an address such as %s; ./postrider in a checkout starts servers"
                    .formatted(addresses);
        }
        String names = starters.stream()
                .flatMap(starter -> known.apply(starter).stream())
                .sorted()
                .collect(Collectors.joining(", "));
        return "Give one of %s, or an address such as %s".formatted(names, addresses);
    }

    /** Why this fault cannot be made here, if so. */
    public Optional<String> refusal(Fault fault) {
        boolean possible = switch (fault) {
            case OUTAGE -> startedBroker.isPresent();
            case DB_RESTART -> startedDatabase.isPresent();
            case KILL, STOP, CUT -> true;
        };
        return possible
                ? Optional.empty()
                : Optional.of("The fault '%s' would stop a server that is not ours; leave it out, or name a server"
                                .formatted(fault.word().toLowerCase(Locale.ROOT))
                        + " that can be started here");
    }

    public DatabaseSettings database() {
        return database;
    }

    public String brokerUri() {
        return brokerUri;
    }

    /** Empty for a broker that leads its clients past any proxy. */
    public Optional<BrokerLink> linkToBroker() {
        if (startedBroker.isPresent()) {
            return startedBroker.map(StartedBroker::cuttableLink);
        }
        return brokerUri.startsWith("kafka://") ? Optional.empty() : Optional.of(BrokerLink.to(brokerUri));
    }

    /** One that was started for the proof. */
    public StartedDatabase startedDatabase() {
        return startedDatabase.orElseThrow();
    }

    /** One that was started for the proof. */
    public StartedBroker startedBroker() {
        return startedBroker.orElseThrow();
    }

    @Override
    public void close() {
        startedBroker.ifPresent(StartedBroker::close);
        startedDatabase.ifPresent(StartedDatabase::close);
    }
}
