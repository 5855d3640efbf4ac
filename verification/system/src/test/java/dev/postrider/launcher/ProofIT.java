package dev.postrider.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.prove.Fault;
import dev.postrider.prove.run.ProofResult;
import dev.postrider.prove.server.ProofSite;
import dev.postrider.store.existing.Preset;
import dev.postrider.testservers.Servers;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Short proofs with every fault; {@code .ci/soak} makes long ones. */
class ProofIT {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"postgres, kafka, 1", "postgres, rabbitmq, 2", "mysql, rabbitmq, 3", "mariadb, kafka, 4"})
    void holdsUnderEveryFaultAndLeavesNothing(String database, String destination, long seed) throws Exception {
        if (!database.equals("mysql")) {
            Servers.skipWithTidb();
        }
        String store = Servers.isTidbForMysql() ? "tidb" : database;
        try (ProofSite site = ProofSite.open(store, UnaryOperator.identity(), destination)) {
            Set<Fault> faults = EnumSet.allOf(Fault.class);
            if (Servers.isTidbForMysql()) {
                assertThat(site.refusal(Fault.DB_RESTART)).isPresent();
                faults.remove(Fault.DB_RESTART);
            }
            ProofResult result = new TestProof(directory, seed, false)
                    .run(site, faults, (done, phase, transactions, count, news) -> {});
            requireHolding(result);
            assertThat(Leftovers.at(site)).isEmpty();
        }
    }

    /** Where relays compete for rows, and where one leads and keeps the order. */
    @ParameterizedTest
    @CsvSource({"mysql, records, kafka, 5", "mysql, pending-wait, rabbitmq, 6"})
    void holdsOnTablesThatExistAlready(String database, String preset, String destination, long seed) throws Exception {
        Servers.skipWithTidb();
        try (ProofSite site = ProofSite.open(database, UnaryOperator.identity(), destination)) {
            ProofResult result = new TestProof(directory, seed, false)
                    .run(
                            site,
                            EnumSet.of(Fault.KILL, Fault.STOP, Fault.CUT),
                            Optional.of(Preset.of(preset)),
                            (done, phase, transactions, faults, news) -> {});
            requireHolding(result);
            assertThat(Leftovers.at(site)).isEmpty();
        }
    }

    private static void requireHolding(ProofResult result) {
        assertThat(result.lastLine())
                .as("history: %s", result.history())
                .contains(" lost=0 phantom=0 ", " out_of_order=0 stuck_keys=0 ");
        assertThat(result.holds()).isTrue();
        assertThat(result.verdict().committed()).isPositive();
        assertThat(result.faults()).isPositive();
    }
}
