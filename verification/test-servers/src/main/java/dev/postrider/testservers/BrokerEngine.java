package dev.postrider.testservers;

import java.nio.file.Path;
import java.util.List;

/** Knows one kind of broker: where its programs come from and how to start it on an empty or a used data directory. */
interface BrokerEngine {
    BrokerKind kind();

    /** Ways to get the programs, best first. */
    List<InstallationSource> sources();

    /** Whether it speaks TLS on a port of its own, or on the plain one. */
    boolean hasTlsPort();

    /** Writes what the broker reads at its start into the directory, and returns the command that runs it in the foreground. */
    List<String> prepare(Installation installation, Path data, int port, int tlsPort);

    /** How to end a broker. */
    default EndSignals endSignals() {
        return new EndSignals("TERM", "KILL");
    }

    /** The same broker as a container, without TLS. */
    ContainerImage container();
}
