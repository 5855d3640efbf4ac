package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testservers.PrivateServer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The address of the database leads to another server from one moment to the next, as after a fail-over by DNS. */
class MovedAddressIT {

    private static final String MOVED = "moved";
    private static final int MESSAGES = 300;

    /** The numbers of rows are the same on both servers, and the relay is in the midst of sending those of the old one. */
    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    void startsAnewOnTheOtherServerAndSettlesNothingOfTheOldOneThere(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared());
                PrivateServer other = kind.startPrivate();
                RecordingBroker arrived = new RecordingBroker();
                TcpFaultProxy address = Addresses.proxyTo(scene.database())) {
            OutboxTables tables = tablesOn(other, scene.database().name());
            Set<String> expected = write(tables);
            scene.broker().answer(delivery -> Answer.WITHHOLD);
            RelayProcess relay = scene.startRelay(scene.settings("moves")
                    .url(Addresses.through(address, scene.database()))
                    .destination(MOVED, arrived.port()));
            relay.awaitStarted();
            scene.enqueueMany(Scene.TOPIC, 1, MESSAGES, 100);
            scene.awaitArrivals(100);

            address.moveTo(other.host(), other.port());
            scene.broker().answer(delivery -> Answer.ACKNOWLEDGE);
            scene.broker().releaseWithheld();

            Eventually.holds(
                    "all messages of the other server have arrived",
                    () -> ids(arrived).containsAll(expected));
            Eventually.holds("the other server's outbox is drained", tables::isDrained);
            assertThat(ids(arrived)).isEqualTo(expected);

            scene.startRelay("stays");
            scene.awaitDrained().requireExact();
        }
    }

    /** The same database on another server, with an outbox that has nothing to do with the first. */
    private static OutboxTables tablesOn(PrivateServer server, String database) {
        new Sql(server.dataSource()).execute("CREATE DATABASE " + database);
        DataSource dataSource = server.dataSource(database);
        OutboxStore store = Stores.open(server.jdbcUrl(database), dataSource, SchemaMode.CREATE);
        return new OutboxTables(store, dataSource);
    }

    private static Set<String> write(OutboxTables tables) {
        Outbox outbox = Outbox.withDefaults(tables.store());
        Set<String> ids = new HashSet<>();
        outbox.inTransaction(
                tables.dataSource(),
                tx -> IntStream.range(0, MESSAGES)
                        .mapToObj(n -> outbox.message(MOVED)
                                .key("key-" + n % 50)
                                .type("Counted")
                                .payload(Wire.payload(n, 1))
                                .build())
                        .peek(message -> ids.add(message.id().toString()))
                        .forEach(tx::enqueue));
        return ids;
    }

    private static Set<String> ids(RecordingBroker broker) {
        List<Delivery> deliveries = broker.deliveries();
        Set<String> ids = new HashSet<>();
        deliveries.forEach(delivery -> ids.add(delivery.id()));
        return ids;
    }
}
