package dev.postrider.benchpeers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Pace;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.scenario.Scenarios;
import dev.postrider.bench.store.BenchDatabase;
import dev.postrider.bench.usage.UsageMonitor;
import dev.postrider.service.config.Secret;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.DatabaseServer;
import dev.postrider.testservers.Servers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lets every peer deliver a few messages: that it works and proves it, not how fast. */
class PeersIT {

    private static final int COUNT = 200;
    private static final PeerMessages MESSAGES = new PeerMessages(512, 1);

    private static BenchDatabase database;

    @BeforeAll
    static void connect() {
        database = connect(Servers.postgres());
    }

    private static BenchDatabase connect(DatabaseServer server) {
        Database empty = server.createDatabase("peers");
        return BenchDatabase.open(new DatabaseSettings.Builder()
                .url(empty.jdbcUrl())
                .user(empty.user())
                .password(Secret.of(empty.password()))
                .build());
    }

    @AfterAll
    static void disconnect() {
        database.close();
    }

    static List<Peer> peers() {
        return PeersScenario.all();
    }

    @ParameterizedTest
    @MethodSource("peers")
    void deliversEachMessageAndLeavesNoTable(Peer peer) throws Exception {
        PeerRound round = PeerDrain.run(peer, database, MESSAGES, COUNT);

        assertThat(round.delivered()).isEqualTo(COUNT);
        assertThat(peer.version()).doesNotContain("$").isNotBlank();
        PeerTables.of(peer, database).requireAbsent();
    }

    static List<Peer> peersOnMariadb() {
        return PeersScenario.all().stream()
                .filter(peer -> peer.runsOn(DatabaseKind.MARIADB))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("peersOnMariadb")
    void deliversEachMessageOnMariadb(Peer peer) throws Exception {
        try (BenchDatabase mariadb = connect(Servers.mariadb())) {
            assertThat(PeerDrain.run(peer, mariadb, MESSAGES, COUNT).delivered())
                    .isEqualTo(COUNT);
        }
    }

    @Test
    void findsTheMessageThatWasWithheld() throws Exception {
        Deliveries deliveries = new Deliveries(MESSAGES, COUNT);
        try (PeerOutbox outbox = new SkipLockedPeer().open(database, deliveries)) {
            outbox.enqueue(MESSAGES.range(0, 70));
            outbox.enqueue(MESSAGES.range(71, COUNT));
            outbox.deliver();
            PeerDrain.awaitAcknowledged(outbox);

            assertThatExceptionOfType(BenchException.class)
                    .isThrownBy(deliveries::requireAll)
                    .withMessageContaining("1 of 200 ")
                    .withMessageContaining("number 70");
        }
    }

    @Test
    void refusesTablesOfOthersAndLeavesThem() throws Exception {
        database.execute("CREATE TABLE scheduled_tasks (theirs INT)");

        assertThatExceptionOfType(BenchException.class)
                .isThrownBy(() -> PeerDrain.run(new DbSchedulerPeer(), database, MESSAGES, COUNT))
                .withMessageContaining("scheduled_tasks");

        assertThat(database.number("SELECT count(*) FROM scheduled_tasks")).isZero();
        database.execute("DROP TABLE scheduled_tasks");
    }

    @Test
    void comparesPostriderWithEachPeer() throws Exception {
        Scenario scenario = new PeersScenario(List.of(new SkipLockedPeer(), new PostriderPeer()));
        List<Measurement> lines;
        try (UsageMonitor usage = UsageMonitor.start(Map.of(), Map::of)) {
            Size size = new Size(COUNT, 512, 1);
            lines = scenario.run(
                    new BenchContext(database, size, 1, Pace.of(size), Optional.empty(), usage, progress -> {}));
        }

        assertThat(lines).extracting(Measurement::subject).containsExactly("tw-tkms", "skip-locked", "postrider");
        assertThat(lines.get(0).figures()).containsKey("not_run");
        assertThat(lines.get(1).delivered()).isEqualTo(COUNT);
        assertThat(lines.get(1).figures()).containsKeys("enqueue_rate", "version", "settings", "client_cpu");
        assertThat(lines.get(2).figures()).containsKey("ratio").containsEntry("ratio_to", "skip-locked");
    }

    @Test
    void isFoundByTheCommandLine() {
        assertThat(Scenarios.named("peers")).singleElement().isInstanceOf(PeersScenario.class);
    }
}
