package dev.postrider.launcher;

import dev.postrider.prove.Fault;
import dev.postrider.prove.run.Proof;
import dev.postrider.prove.run.ProofListener;
import dev.postrider.prove.run.ProofResult;
import dev.postrider.prove.run.ProofSettings;
import dev.postrider.prove.server.ProofSite;
import dev.postrider.store.existing.Preset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A short proof on servers of its own.
 *
 * @param keep whether what it has made stays there
 */
record TestProof(Path directory, long seed, boolean keep) {

    /** Relays may need minutes for their start beside a whole build; a proof that holds waits for no more than they do. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    static final String NAME = "prove_test";

    ProofResult run(ProofSite site, Set<Fault> faults, ProofListener listener) {
        return run(site, faults, Optional.empty(), listener);
    }

    ProofResult run(ProofSite site, Set<Fault> faults, Optional<Preset> preset, ProofListener listener) {
        Duration time = Duration.ofSeconds(faults.isEmpty() ? 5 : 15);
        ProofSettings settings = new ProofSettings(NAME, time, 2, faults, seed, keep, preset, PATIENCE);
        return new Proof(settings, site, relayCommand(), directory, listener).run();
    }

    private static List<String> relayCommand() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = System.getProperty("java.class.path");
        return List.of(java, "-Xmx128m", "-cp", classPath, "dev.postrider.cli.Main", "relay", "--config");
    }
}
