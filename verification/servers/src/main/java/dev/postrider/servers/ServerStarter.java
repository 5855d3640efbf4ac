package dev.postrider.servers;

import java.util.Set;

/**
 * Starts servers by name, for proofs that stop and restart them and for benchmarks. Found by {@link java.util.ServiceLoader}; the published
 * command line has none.
 */
public interface ServerStarter {

    /** The names of the databases it can start, such as {@code postgres}. */
    Set<String> databases();

    /** The names of the brokers it can start, such as {@code kafka}. */
    Set<String> brokers();

    /** Starts an empty database on a server of its own and returns when it takes connections. */
    StartedDatabase startDatabase(String name, ServerProfile profile);

    /** Starts an empty broker and returns when it takes clients. */
    StartedBroker startBroker(String name);
}
