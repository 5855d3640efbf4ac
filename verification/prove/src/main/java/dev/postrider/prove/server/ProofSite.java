package dev.postrider.prove.server;

import dev.postrider.prove.Fault;
import dev.postrider.servers.BrokerLink;
import dev.postrider.servers.RestartableServer;
import dev.postrider.servers.ServerProfile;
import dev.postrider.servers.Servers;
import dev.postrider.servers.StartedBroker;
import dev.postrider.servers.StartedDatabase;
import dev.postrider.service.database.DatabaseSettings;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where a proof takes place: a database and a broker. Close it, to end what was started for it. Not thread-safe.
 */
public final class ProofSite implements AutoCloseable {

    private final DatabaseSettings database;
    private final String brokerUri;
    private final Optional<StartedDatabase> startedDatabase;
    private final Optional<StartedBroker> startedBroker;
    private final boolean losesCommitsWhenKilled;

    private ProofSite(
            DatabaseSettings database,
            String brokerUri,
            Optional<StartedDatabase> startedDatabase,
            Optional<StartedBroker> startedBroker,
            boolean losesCommitsWhenKilled) {
        this.database = database;
        this.brokerUri = brokerUri;
        this.startedDatabase = startedDatabase;
        this.startedBroker = startedBroker;
        this.losesCommitsWhenKilled = losesCommitsWhenKilled;
    }

    /** Whether a database that is started under this name loses commits by SIGKILL: the storage inside of tidb-server keeps locks in memory. */
    public static boolean losesCommitsWhenKilled(String store) {
        return store.equals("tidb");
    }

    /**
     * Finds or starts the servers.
     *
     * @param store a name that a {@link dev.postrider.servers.ServerStarter} knows, or a JDBC address
     * @param account completes the settings of a database that was given by its address
     * @param destination a name that a {@link dev.postrider.servers.ServerStarter} knows, or the URI of a broker
     */
    public static ProofSite open(
            String store, Function<DatabaseSettings.Builder, DatabaseSettings.Builder> account, String destination) {
        Optional<StartedDatabase> database = store.startsWith("jdbc:")
                ? Optional.empty()
                : Optional.of(Servers.startDatabase(store, ServerProfile.SMALL));
        try {
            Optional<StartedBroker> broker =
                    destination.contains("://") ? Optional.empty() : Optional.of(Servers.startBroker(destination));
            DatabaseSettings settings = database.map(
                            started -> DatabaseSettings.of(started.url(), started.user(), started.password()))
                    .orElseGet(() -> account.apply(new DatabaseSettings.Builder().url(store))
                            .build());
            return new ProofSite(
                    settings,
                    broker.map(StartedBroker::uri).orElse(destination),
                    database,
                    broker,
                    losesCommitsWhenKilled(store));
        } catch (RuntimeException failed) {
            database.ifPresent(StartedDatabase::close);
            throw failed;
        }
    }

    /** Why this fault cannot be made here, if so. */
    public Optional<String> refusal(Fault fault) {
        if (fault == Fault.DB_RESTART && losesCommitsWhenKilled) {
            return Optional.of(
                    "The fault 'db-restart' proves nothing here: the storage inside of tidb-server keeps locks in"
                            + " memory and loses commits when it is killed, which TiKV does not; leave it out");
        }
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
    public RestartableServer databaseServer() {
        return startedDatabase.orElseThrow().server();
    }

    /** One that was started for the proof. */
    public RestartableServer brokerServer() {
        return startedBroker.orElseThrow();
    }

    @Override
    public void close() {
        startedBroker.ifPresent(StartedBroker::close);
        startedDatabase.ifPresent(StartedDatabase::close);
    }
}
