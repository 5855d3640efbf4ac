package dev.postrider.destination.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.GetResponse;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.Health;
import dev.postrider.spi.Ordering;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How often a receiver with a parking lot tries, and how it counts together with others (A000-13 of the reference). */
class RetryCountIT {

    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration QUIET = Duration.ofMillis(300);

    private final String queue = Node.newName();

    @AfterEach
    void deleteQueues() {
        Node.deleteQueues(queue, queue + ".wait", queue + ".wait.100", queue + ".pl");
        Node.inChannel(channel -> channel.exchangeDelete(queue + ".dlx"));
    }

    private ParkingLotReceiverBuilder parkingLot() {
        return Node.access(RabbitmqReceiver.parkingLot(queue)).retryPause(PAUSE);
    }

    @Test
    void deliversOnceAndThenAsOftenAsMaxRetriesSays() {
        try (Subscribed subscribed =
                Subscribed.to(parkingLot().declareTopology().maxRetries(3))) {
            Subscribed.publish(queue, Subscribed.event("1").build());
            for (int attempt = 1; attempt <= 4; attempt++) {
                Delivery delivery = subscribed.next();
                assertThat(delivery.attempt()).isEqualTo(attempt);
                delivery.retryLater("not yet");
            }
            assertThat(retriesAsOthersCount(Subscribed.take(queue + ".pl"))).isEqualTo(3);
            assertThat(Subscribed.tryTake(queue + ".pl", QUIET)).isEmpty();
            assertThat(subscribed.next(QUIET)).isNull();
            assertThat(subscribed.receiver().ordering()).isEqualTo(Ordering.NONE);
        }
    }

    /** By the queue in which the message died first. */
    private static Object retriesAsOthersCount(GetResponse got) {
        Map<String, Object> headers = got.getProps().getHeaders();
        String first = headers.get("x-first-death-queue").toString();
        return ((List<?>) headers.get("x-death"))
                .stream()
                        .map(entry -> (Map<?, ?>) entry)
                        .filter(entry -> entry.get("queue").toString().equals(first))
                        .map(entry -> ((Number) entry.get("count")).intValue())
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void countsOnWhereOthersOnTheSameQueueHaveBegun() {
        Subscribed.to(parkingLot().declareTopology()).close();
        Subscribed.publish(queue, Subscribed.event("1").build());
        rejectAsOthersDo();
        rejectAsOthersDo();
        try (Subscribed subscribed = Subscribed.to(parkingLot())) {
            Delivery third = subscribed.next();
            assertThat(third.attempt()).isEqualTo(3);
            third.retryLater("not yet");
            subscribed.next();
        }
        assertThat(retriesAsOthersCount(Subscribed.take(queue))).isEqualTo(3);
    }

    private void rejectAsOthersDo() {
        Node.inChannel(channel -> {
            GetResponse got = channel.basicGet(queue, false);
            while (got == null) {
                got = channel.basicGet(queue, false);
            }
            channel.basicReject(got.getEnvelope().getDeliveryTag(), false);
            return got;
        });
    }

    /** With the record of its retries it would be larger than a frame, and end every connection that it is delivered on. */
    @Test
    void parksInsteadOfRetryingWhatHasTooManyHeadersForARecordBeside() {
        try (Subscribed subscribed = Subscribed.to(parkingLot().declareTopology())) {
            Map<String, Object> headers = Subscribed.headers("1");
            headers.put("large", "x".repeat(130_500));
            Subscribed.publish(queue, Subscribed.event("1").headers(headers).build());

            subscribed.next().retryLater("not yet");

            assertThat(Subscribed.take(queue + ".pl").getProps().getHeaders()).containsKey("large");
            assertThat(subscribed.receiver().healthCheck()).isEqualTo(Health.UP);
        }
    }

    @Test
    void countsDeathsOfAnyIntegerTypeInItsOwnQueueOnly() {
        try (Subscribed subscribed = Subscribed.to(parkingLot().declareTopology())) {
            List<Object> counts = List.of((byte) 3, (short) 3, 3, 3L, "3", Long.MAX_VALUE);
            for (Object count : counts) {
                Map<String, Object> headers = Subscribed.headers("id-" + count);
                headers.put("x-first-death-queue", "elsewhere");
                headers.put(
                        "x-death",
                        List.of(
                                "no entry",
                                Map.of("count", 9L),
                                Map.of("queue", "elsewhere", "count", 900L, "reason", "rejected"),
                                Map.of("queue", queue, "count", "many", "reason", "rejected"),
                                Map.of("queue", queue, "count", count, "reason", "rejected")));
                Subscribed.publish(queue, Subscribed.event("1").headers(headers).build());
                Delivery delivery = subscribed.next();
                assertThat(delivery.attempt()).isGreaterThanOrEqualTo(4);
                delivery.retryLater("still not");
                assertThat(Subscribed.take(queue + ".pl")).isNotNull();
            }
        }
    }

    /** Clients of other languages write texts as bytes. */
    @Test
    void countsDeathsInAQueueWhoseNameIsAByteString() {
        try (Subscribed subscribed = Subscribed.to(parkingLot().declareTopology())) {
            Map<String, Object> headers = Subscribed.headers("1");
            headers.put("x-first-death-queue", queue.getBytes(UTF_8));
            headers.put(
                    "x-death",
                    List.of(Map.of("queue", queue.getBytes(UTF_8), "count", 2L, "reason", "rejected".getBytes(UTF_8))));
            Subscribed.publish(queue, Subscribed.event("1").headers(headers).build());

            Delivery delivery = subscribed.next();
            assertThat(delivery.attempt()).isEqualTo(3);
            delivery.acknowledge();
        }
    }

    @Test
    void takesAMessageWhoseDeathRecordMakesNoSenseForANewOne() {
        try (Subscribed subscribed = Subscribed.to(parkingLot().declareTopology())) {
            for (Object record : List.of("text", 7, List.of(1, 2), Map.of("queue", queue), List.of(Map.of()))) {
                Map<String, Object> headers = new LinkedHashMap<>(Subscribed.headers("1"));
                headers.put("x-death", record);
                Subscribed.publish(queue, Subscribed.event("1").headers(headers).build());
                Delivery delivery = subscribed.next();
                assertThat(delivery.attempt()).isEqualTo(1);
                delivery.acknowledge();
            }
        }
    }

    @Test
    void waitsAsLongAsEachAttemptSays() {
        ParkingLotReceiverBuilder builder = parkingLot()
                .declareTopology()
                .retryPauses(PAUSE, Duration.ofMillis(100))
                .maxRetries(3);
        try (Subscribed subscribed = Subscribed.to(builder)) {
            Subscribed.publish(queue, Subscribed.event("1").build());
            for (int attempt = 1; attempt <= 4; attempt++) {
                Delivery delivery = subscribed.next();
                assertThat(delivery.attempt()).isEqualTo(attempt);
                assertThat(delivery.message().topic()).isEqualTo(queue);
                delivery.retryLater("not yet");
            }
            Map<String, Object> headers =
                    Subscribed.take(queue + ".pl").getProps().getHeaders();
            assertThat(headers.get("x-postrider-parked-attempts")).isEqualTo(4);
            assertThat(headers.get("x-death").toString())
                    .contains(queue + ".wait")
                    .contains(queue + ".wait.100");
        }
    }
}
