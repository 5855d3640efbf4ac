package dev.postrider.bus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Inbox;
import dev.postrider.Outbox;
import dev.postrider.bus.interceptor.LoggingInterceptor;
import dev.postrider.bus.interceptor.RetryInterceptor;
import dev.postrider.bus.interceptor.TimeoutInterceptor;
import dev.postrider.codec.json.JsonCodec;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.destination.memory.MemoryReceiver;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Receiver;
import dev.postrider.store.h2.H2InboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What stands between "snippet" and "end" stands in docs/guides/bus.md as well; SnippetsTest compares. */
@Timeout(120)
class BusGuideTest {

    // snippet: types
    record BookCreated(String isbn, String title) {}

    static final EventType<BookCreated> BOOK_CREATED = EventType.of("example.books.v1.BookCreated", BookCreated.class);
    // end

    private final JdbcConnectionPool dataSource =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "", "");
    private final BlockingQueue<String> indexed = new LinkedBlockingQueue<>();

    @AfterEach
    void close() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.createStatement().execute("SHUTDOWN");
        }
        dataSource.dispose();
    }

    @Test
    void carriesAnEventFromATransactionToAHandlerOnce() throws Exception {
        execute("CREATE TABLE books (isbn VARCHAR(20) PRIMARY KEY)");
        execute("CREATE TABLE search_index (isbn VARCHAR(20))");
        OutboxStore store =
                H2OutboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build();
        Outbox outbox = Outbox.withDefaults(store);
        MemoryDestination broker = MemoryDestination.named("broker");
        MemoryReceiver receiver = broker.receiver("search");

        // snippet: publishers
        CodecRegistry codecs = CodecRegistry.of(JsonCodec.withDefaults());
        EventPublishers publishers = EventPublishers.builder(codecs)
                .defaults(PublishOptions.none().withSource("/books"))
                .intercept(new LoggingInterceptor())
                .build();
        // end

        // snippet: inbox
        Inbox inbox = Inbox.over(
                H2InboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build());
        // end

        // snippet: subscriber
        Subscriber subscriber = Subscriber.builder("search", receiver, codecs)
                .intercept(new RetryInterceptor(3, Backoff.constant(Duration.ofMillis(50))))
                .build();
        subscriber.register(BOOK_CREATED, (book, context) -> {
            inbox.inTransaction(
                    dataSource,
                    context.subscriber(),
                    context.message(),
                    connection -> addToIndex(connection, book.isbn()));
        });
        subscriber.start();
        // end

        try (subscriber;
                Relay relay = Relay.withDefaults(store, broker)) {
            relay.start();

            // snippet: publish
            BookCreated book = new BookCreated("978-0-14-118280-3", "Ulysses");
            outbox.inTransaction(dataSource, tx -> {
                insertBook(tx.connection(), book.isbn());
                publishers
                        .in(tx)
                        .publish(BOOK_CREATED, book, PublishOptions.none().withKey(book.isbn()));
            });
            // end

            assertThat(indexed.poll(60, TimeUnit.SECONDS)).isEqualTo(book.isbn());
        }
        assertThat(count("search_index")).isEqualTo(1);
        broker.close();
    }

    @Test
    void publishesStraightToADestination() throws Exception {
        EventPublishers publishers = EventPublishers.builder(CodecRegistry.of(JsonCodec.withDefaults()))
                .build();
        BlockingQueue<OutboxMessage> sent = new LinkedBlockingQueue<>();
        Destination destination = Destination.blocking("direct", sent::add);
        BookCreated book = new BookCreated("1", "Ulysses");

        // snippet: direct
        publishers.to(destination).publish(BOOK_CREATED, book);
        // end

        assertThat(sent.poll(60, TimeUnit.SECONDS)).isNotNull();
        destination.close();
    }

    @Test
    void parksWhatCannotBeHandled() {
        CodecRegistry codecs = CodecRegistry.of(JsonCodec.withDefaults());
        MemoryDestination broker = MemoryDestination.named("broker");
        MemoryReceiver receiver = broker.receiver("search");
        TimeoutInterceptor timeout = new TimeoutInterceptor(Duration.ofSeconds(30));
        try (timeout;
                Subscriber subscriber = subscriber(receiver, codecs, timeout)) {
            // snippet: unprocessable
            subscriber.register(BOOK_CREATED, (book, context) -> {
                if (book.title().isBlank()) {
                    throw new UnprocessableEventException("Book " + book.isbn() + " has no title");
                }
                indexed.add(book.isbn());
            });
            // end
            subscriber.start();
            EventPublishers.builder(codecs).build().to(broker).publish(BOOK_CREATED, new BookCreated("1", " "));

            while (receiver.parked().isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(receiver.parked().get(0).reason()).contains("Book 1 has no title");
        }
        broker.close();
    }

    private static Subscriber subscriber(Receiver receiver, CodecRegistry codecs, TimeoutInterceptor timeout) {
        return Subscriber.builder("search", receiver, codecs).intercept(timeout).build();
    }

    private void addToIndex(Connection connection, String isbn) throws SQLException {
        insert(connection, "INSERT INTO search_index (isbn) VALUES (?)", isbn);
        indexed.add(isbn);
    }

    private static void insertBook(Connection connection, String isbn) throws SQLException {
        insert(connection, "INSERT INTO books (isbn) VALUES (?)", isbn);
    }

    private static void insert(Connection connection, String sql, String isbn) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, isbn);
            statement.executeUpdate();
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.createStatement().execute(sql);
        }
    }

    private int count(String table) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                ResultSet row = connection.createStatement().executeQuery("SELECT COUNT(*) FROM " + table)) {
            row.next();
            return row.getInt(1);
        }
    }
}
