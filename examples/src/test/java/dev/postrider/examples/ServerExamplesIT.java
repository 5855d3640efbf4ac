package dev.postrider.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.examples.rabbitmqparkinglot.RabbitmqParkingLot;
import dev.postrider.examples.tracing.Tracing;
import dev.postrider.examples.tworelayskafka.TwoRelaysKafka;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs every example that needs servers, and reads what it prints. */
@Timeout(120)
class ServerExamplesIT {

    @Test
    void twoRelaysDeliverEverythingInOrderWhileOneStops() throws Exception {
        Broker kafka = Servers.kafka();
        try (Database database = Servers.postgres().createDatabase("example")) {
            assertThat(Printed.by(
                            TwoRelaysKafka::main,
                            database.jdbcUrl(),
                            database.user(),
                            database.password(),
                            kafka.host() + ":" + kafka.port()))
                    .containsExactly(
                            "two relays share 16 lanes",
                            "one has stopped, the other has taken over its lanes",
                            "consumed 180 events of 60 orders, 0 twice, 0 out of order");
        }
    }

    @Test
    void oneTraceLeadsFromTheRequestToTheEffectOfItsEvent(@TempDir Path directory) throws Exception {
        Broker kafka = Servers.kafka();
        String topic = "orders-" + UUID.randomUUID();
        Path picture = directory.resolve("trace.svg");

        assertThat(Printed.by(Tracing::main, kafka.host() + ":" + kafka.port(), topic, picture.toString()))
                .map(line -> line.replace(topic, "ORDERS"))
                .containsExactly(
                        "placed order-17: 204",
                        "POST /orders (SERVER)",
                        "  send ORDERS (CLIENT)",
                        "  process ORDERS (CONSUMER)",
                        "    INSERT invoices (INTERNAL)",
                        "4 spans, 1 trace");
        assertThat(labels(picture))
                .as("the picture in docs/guides/tracing.md; draw it again with this example")
                .map(label -> label.replace(topic, "orders"))
                .isEqualTo(labels(Path.of("../docs/guides/tracing.svg")));
    }

    /** The names of its spans, from top to bottom. */
    private static List<String> labels(Path picture) throws IOException {
        return Files.readAllLines(picture).stream()
                .filter(line -> line.contains("<tspan"))
                .map(line -> line.replaceAll("<[^>]*>", ""))
                .toList();
    }

    @Test
    void aParkingLotKeepsWhatCannotBeHandledWhileOthersComeBack() throws Exception {
        Broker rabbitmq = Servers.rabbitmq();
        String uri =
                "amqp://%s:%s@%s:%d".formatted(rabbitmq.user(), rabbitmq.password(), rabbitmq.host(), rabbitmq.port());

        // The log of what was parked goes to the same place.
        assertThat(Printed.by(RabbitmqParkingLot::main, uri))
                .filteredOn(line -> line.startsWith("billed") || line.startsWith("parked"))
                .containsExactlyInAnyOrder(
                        "billed order-1 at attempt 3",
                        "parked: UnprocessableEventException: order-2 has a negative total",
                        "parked: IllegalStateException: the bank does not answer for order-3");
    }
}
