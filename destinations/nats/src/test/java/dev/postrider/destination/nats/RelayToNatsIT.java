package dev.postrider.destination.nats;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.DestinationRouter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.PlaceScenario;
import dev.postrider.testkit.RelayUnderLoad;
import dev.postrider.testservers.PrivateBroker;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A whole relay over H2 and a real server that fails. */
class RelayToNatsIT {

    private final PrivateBroker server = Server.server();
    private final JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "", "");
    private final OutboxStore store =
            H2OutboxStore.builder(pool).schemaMode(SchemaMode.CREATE).build();

    @AfterEach
    void disposePool() {
        pool.dispose();
    }

    @Test
    void losesNothingAndCountsNoAttemptWhenTheServerIsKilledUnderLoad() throws Exception {
        String topic = Server.newSubjectWithStream();
        List<OutboxMessage> committed;
        try (Destination nats = Server.destination().build();
                RelayUnderLoad load =
                        new RelayUnderLoad(store, pool, DestinationRouter.to(nats), RelayUnderLoad.ordersFor(topic))) {
            load.awaitWritten(200);
            server.killHard();
            load.awaitOutage();
            // Time itself is what is tested here: the back-off grows, leases are renewed, nothing is given up.
            Thread.sleep(RelayUnderLoad.brokerDown().toMillis());
            server.restart();
            load.awaitWritten(200);
            committed = load.drain();
            load.assertNoMessageWasBlamed();
        } finally {
            if (!server.isRunning()) {
                server.restart();
            }
        }

        assertThatDeliveries(Server.messagesIn(topic, committed.size()))
                .lackNothingOf(committed)
                .containNothingBut(committed)
                .keepTheOrderOf(committed);
    }

    @Test
    void messagesOfAFullStreamWaitUntilThereIsRoom() {
        String full = Server.newSubject();
        StreamConfiguration stream = Server.stream(full)
                .maxMessages(2)
                .discardPolicy(DiscardPolicy.New)
                .build();
        Server.addStream(stream);
        try (Destination nats = Server.destination().build()) {
            for (int i = 0; i < 2; i++) {
                assertThat(nats.send(RelayUnderLoad.ordersFor(full).apply(i)))
                        .succeedsWithin(Duration.ofSeconds(60))
                        .isEqualTo(DeliveryResult.DELIVERED);
            }
            PlaceScenario.run(
                    nats,
                    full,
                    Server.newSubjectWithStream(),
                    () -> Server.withConnection(
                            connection -> connection.jetStreamManagement().purgeStream(stream.getName())));
        }
    }

    @Test
    void letsOthersFlowWhileOneStreamIsFull() throws Exception {
        String full = Server.newSubject();
        Server.addStream(Server.stream(full)
                .maxMessages(1)
                .discardPolicy(DiscardPolicy.New)
                .build());
        String open = Server.newSubjectWithStream();
        try (Destination nats = Server.destination().build();
                RelayUnderLoad load = new RelayUnderLoad(
                        store,
                        pool,
                        DestinationRouter.to(nats),
                        i -> RelayUnderLoad.ordersFor(i % 2 == 0 ? full : open).apply(i))) {
            load.awaitWritten(400);
            // What waits for the full stream is held; everything else leaves the outbox.
            List<OutboxMessage> forOpen = load.awaitAllButHeld().stream()
                    .filter(message -> message.topic().equals(open))
                    .toList();

            assertThatDeliveries(Server.messagesIn(open, forOpen.size()))
                    .lackNothingOf(forOpen)
                    .keepTheOrderOf(forOpen)
                    .haveNoDuplicates();
            assertThat(store.stats().held()).isPositive();
        }
    }
}
