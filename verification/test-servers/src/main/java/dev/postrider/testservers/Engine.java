package dev.postrider.testservers;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Knows one kind of server: where its programs come from, how to make a data directory and how to start on one. */
interface Engine {
    DatabaseKind kind();

    /** Ways to get the programs, best first. */
    List<InstallationSource> sources();

    /** Makes a data directory; the path does not exist yet. */
    void initialise(Installation installation, Path data);

    /** The command that runs a server in the foreground. */
    List<String> startCommand(Installation installation, Path data, int port, Map<String, String> settings);

    /** Settings for a server that many tests share and none crashes: commits do not wait for the disk. */
    default Map<String, String> sharedSettings() {
        return Map.of();
    }

    /** How to end a server. */
    default EndSignals endSignals() {
        return new EndSignals("TERM", "KILL");
    }

    /** The same server as a container. */
    ContainerImage container(Map<String, String> settings);
}
