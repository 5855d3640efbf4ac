package dev.postrider.examples.books;

import dev.postrider.Inbox;
import dev.postrider.Outbox;
import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.EventPublishers;
import dev.postrider.bus.PublishOptions;
import dev.postrider.bus.Subscriber;
import dev.postrider.codec.protobuf.ProtobufCodec;
import dev.postrider.destination.rabbitmq.RabbitmqDestination;
import dev.postrider.destination.rabbitmq.RabbitmqReceiver;
import dev.postrider.relay.Relay;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2InboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/**
 * A catalogue of books and a search index that follows it, in one process for once: in life the first half and the second are two services
 * with databases of their own, and only RabbitMQ is between them.
 *
 * <p>The argument is the address of the broker, {@code amqp://user:password@host:port}. Ends when standard input does.
 */
public final class BooksApp implements AutoCloseable {

    private static final CodecRegistry CODECS = CodecRegistry.of(new ProtobufCodec());

    private final RabbitmqDestination rabbit;
    private final Relay relay;
    private final Subscriber subscriber;
    private final Catalogue catalogue;

    BooksApp(String broker) throws SQLException {
        DataSource dataSource = database();
        OutboxStore store =
                H2OutboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build();
        EventPublishers publishers = EventPublishers.builder(CODECS)
                .defaults(PublishOptions.none().withSource("/books"))
                .build();
        catalogue = new Catalogue(dataSource, Outbox.withDefaults(store), publishers);
        rabbit = RabbitmqDestination.builder("rabbit")
                .uri(broker)
                .declareExchanges()
                .build();
        relay = Relay.withDefaults(store, rabbit);

        Inbox inbox = Inbox.over(
                H2InboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build());
        RabbitmqReceiver receiver = RabbitmqReceiver.parkingLot("search")
                .uri(broker)
                .declareTopology()
                .bindEvents()
                .declareExchanges()
                .build();
        subscriber = Subscriber.builder("search", receiver, CODECS).build();
        new SearchIndex(dataSource, inbox).subscribeWith(subscriber);
    }

    private static DataSource database() throws SQLException {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:books;DB_CLOSE_DELAY=-1");
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE book (isbn VARCHAR(20) PRIMARY KEY)");
            statement.execute("CREATE TABLE indexed_book (isbn VARCHAR(20))");
        }
        return dataSource;
    }

    /** The subscriber first: its queue must be there before the first event. */
    void start() {
        subscriber.start();
        relay.start();
    }

    Catalogue catalogue() {
        return catalogue;
    }

    @Override
    public void close() {
        relay.close();
        subscriber.close();
        rabbit.close();
    }

    public static void main(String[] args) throws Exception {
        try (BooksApp app = new BooksApp(args.length > 0 ? args[0] : "amqp://localhost")) {
            app.start();
            // A receiver that gave up receives nothing: end, and let the supervisor start the process again.
            app.subscriber.termination().whenComplete((ended, failure) -> {
                if (failure != null) {
                    System.exit(1);
                }
            });
            app.catalogue().add("978-0-14-118280-3", "Ulysses");
            app.catalogue().add("978-0-00-000000-0", "");
            app.catalogue().remove("978-0-14-118280-3");
            while (System.in.read() >= 0) {
                // Until the end of input.
            }
        }
    }
}
