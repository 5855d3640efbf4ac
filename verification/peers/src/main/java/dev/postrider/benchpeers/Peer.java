package dev.postrider.benchpeers;

import dev.postrider.bench.store.BenchDatabase;
import dev.postrider.service.database.DatabaseKind;
import java.util.List;

/** What a Java user would pick to send messages of committed transactions, driven through its own API. Stateless. */
interface Peer {

    /** As results name it: {@code gruelbox}. */
    String name();

    /** The version that was measured. */
    default String version() {
        return PeerVersions.of(name());
    }

    /** How it is set up, for people: everything that differs from its defaults. */
    String settings();

    /** By how much fewer messages it gets than the fastest do, so that all end in about the same time. */
    default int divisor() {
        return 10;
    }

    /** Whether its documentation says that it works there, and it does. Some leave out MariaDB. */
    default boolean runsOn(DatabaseKind kind) {
        return kind == DatabaseKind.POSTGRES || kind == DatabaseKind.MYSQL;
    }

    /** The tables that it makes, in an order in which they can be dropped. */
    List<String> tables();

    /** The views that it makes over them. */
    default List<String> views() {
        return List.of();
    }

    /** Makes its tables. It takes messages from now on, and hands none to the deliveries before it is told to. */
    PeerOutbox open(BenchDatabase database, Deliveries deliveries) throws Exception;
}
