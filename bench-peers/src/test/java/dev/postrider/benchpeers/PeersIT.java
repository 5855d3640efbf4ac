package dev.postrider.benchpeers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.testservers.Servers;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lets every peer deliver a few messages: that it works and proves it, not how fast. */
class PeersIT {

    private static final int COUNT = 200;
    private static final PeerMessages MESSAGES = new PeerMessages(512, 1);

    private static HikariDataSource pool;
    private static PeerDatabase database;

    @BeforeAll
    static void connect() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(Servers.postgres().createDatabase("peers").dataSource());
        config.setMaximumPoolSize(40);
        pool = new HikariDataSource(config);
        database = new PeerDatabase(DatabaseKind.POSTGRES, pool);
    }

    @AfterAll
    static void disconnect() {
        pool.close();
    }

    static List<Peer> peers() {
        return Peers.all();
    }

    @ParameterizedTest
    @MethodSource("peers")
    void deliversEachMessageAndLeavesNoTable(Peer peer) throws Exception {
        PeerRound round = PeerDrain.run(peer, database, MESSAGES, COUNT);

        assertThat(round.delivered()).isEqualTo(COUNT);
        assertThat(peer.version()).doesNotContain("$").isNotBlank();
        database.requireAbsent(peer.tables());
    }

    @Test
    void findsTheMessageThatWasWithheld() throws Exception {
        Peer peer = new SkipLockedPeer();
        Deliveries deliveries = new Deliveries(MESSAGES, COUNT);
        try (PeerOutbox outbox = peer.open(database, deliveries)) {
            outbox.enqueue(MESSAGES.range(0, 70));
            outbox.enqueue(MESSAGES.range(71, COUNT));
            outbox.deliver();
            PeerDrain.awaitAcknowledged(outbox);

            assertThatExceptionOfType(MissingMessagesException.class)
                    .isThrownBy(deliveries::requireAll)
                    .withMessageContaining("1 of 200 ")
                    .withMessageContaining("number 70");
        } finally {
            database.drop(peer.tables());
        }
    }

    @Test
    void refusesTablesOfOthers() throws Exception {
        database.execute("CREATE TABLE scheduled_tasks (theirs INT)");

        assertThatIllegalStateException()
                .isThrownBy(() -> PeerDrain.run(new DbSchedulerPeer(), database, MESSAGES, COUNT))
                .withMessageContaining("scheduled_tasks");

        assertThat(database.number("SELECT count(*) FROM scheduled_tasks")).isZero();
        database.execute("DROP TABLE scheduled_tasks");
    }
}
