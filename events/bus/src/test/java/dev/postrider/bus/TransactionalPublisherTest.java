package dev.postrider.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.NoTransactionException;
import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TransactionalPublisherTest {

    private static final EventType<String> CREATED = EventType.of("example.books.v1.BookCreated", String.class);

    private static final Instant IN_2100 = Instant.parse("2100-01-01T00:00:00Z");

    private final JdbcConnectionPool dataSource =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "", "");
    private final OutboxStore store =
            H2OutboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build();
    private final Outbox outbox = Outbox.withDefaults(store);
    private final EventPublishers publishers = EventPublishers.builder(CodecRegistry.of(new TextCodec("json")))
            .defaults(PublishOptions.none().withSource("/books"))
            .build();

    @AfterEach
    void shutDown() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.createStatement().execute("SHUTDOWN");
        }
        dataSource.dispose();
    }

    @Test
    void reachesTheDestinationUnchangedOnceTheTransactionCommits() {
        OutboxMessage written = outbox.inTransactionReturning(
                dataSource,
                tx -> publishers
                        .in(tx)
                        .publish(CREATED, "Ulysses", PublishOptions.none().withKey("book-17")));

        List<OutboxMessage> delivered = relayed();

        assertThat(delivered).hasSize(1);
        OutboxMessage arrived = delivered.get(0);
        assertThat(arrived.id()).isEqualTo(written.id());
        assertThat(arrived.headers()).isEqualTo(written.headers());
        assertThat(arrived.contentType()).isEqualTo(written.contentType());
        assertThat(arrived.payload()).isEqualTo(written.payload());
        assertThat(arrived.key()).contains("book-17");
    }

    @Test
    void deliversAtTheTimeThatTheOptionsSay() {
        outbox.inTransaction(dataSource, tx -> {
            EventPublisher publisher = publishers.in(tx);
            publisher.publish(CREATED, "in an hour", PublishOptions.none().withDeliverAfter(Duration.ofHours(1)));
            publisher.publish(CREATED, "in 2100", PublishOptions.none().withDeliverAt(IN_2100));
            publisher.publish(CREATED, "in the past", PublishOptions.none().withDeliverAt(Instant.EPOCH));
            publisher.publish(CREATED, "at once");
        });

        assertThat(relayed())
                .extracting(message -> new String(message.payload(), StandardCharsets.UTF_8))
                .containsExactlyInAnyOrder("json:in the past", "json:at once");
        assertThat(store.stats().delayed()).isEqualTo(2);
    }

    @Test
    void leavesNothingBehindWhenTheTransactionRollsBack() {
        assertThatThrownBy(() -> outbox.inTransaction(dataSource, tx -> {
                    publishers.in(tx).publish(CREATED, "Ulysses");
                    throw new IllegalStateException("changed my mind");
                }))
                .hasMessage("changed my mind");

        assertThat(relayed()).isEmpty();
    }

    @Test
    void joinsATransactionThatTheCallerCommits() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            publishers
                    .in(outbox, connection)
                    .publishAll(List.of(Publication.of(CREATED, "a"), Publication.of(CREATED, "b")));
            connection.commit();
        }

        assertThat(relayed()).hasSize(2);
    }

    @Test
    void refusesAConnectionWithoutTransaction() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            assertThatThrownBy(() -> publishers.in(outbox, connection).publish(CREATED, "a"))
                    .isInstanceOf(NoTransactionException.class);
        }
    }

    @Test
    void writesAListInOneTransactionThroughTheBus() {
        EventPublishers failingAtThird = EventPublishers.builder(CodecRegistry.of(new TextCodec("json")))
                .intercept((publication, next) -> {
                    if (publication.data().equals("third")) {
                        throw new IllegalStateException("not the third");
                    }
                    return next.proceed(publication);
                })
                .build();
        EventBus bus = EventBus.throughOutbox(failingAtThird, outbox, dataSource);
        List<Publication> list = List.of(
                Publication.of(CREATED, "first"), Publication.of(CREATED, "second"), Publication.of(CREATED, "third"));

        assertThatThrownBy(() -> bus.publishAll(list)).hasMessage("not the third");
        assertThat(relayed()).isEmpty();
        assertThat(bus.publishAll(list.subList(0, 2))).hasSize(2);
        assertThat(relayed()).hasSize(2);
    }

    @Test
    void saysWhereToSubscribeInsteadOfAtTheOutbox() {
        EventBus bus = EventBus.throughOutbox(publishers, outbox, dataSource);

        assertThatThrownBy(() -> bus.subscribe("billing", (event, context) -> {}, Set.of()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("only writes to the outbox")
                .hasMessageContaining("Subscriber.builder");
    }

    private List<OutboxMessage> relayed() {
        List<OutboxMessage> delivered = new CopyOnWriteArrayList<>();
        Destination destination = Destination.blocking("recorder", delivered::add);
        try (destination;
                Relay relay = Relay.withDefaults(store, destination)) {
            relay.drainOnce();
        }
        return delivered;
    }
}
