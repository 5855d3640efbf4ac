package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.BlockingDestination;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RelayStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RelayBuilderTest {

    private static final Destination DESTINATION = destination("shop", Duration.ofSeconds(5));

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refusesAValueAtOnceWithItsRange(String problem, Consumer<RelayBuilder> setter) {
        assertThatThrownBy(() -> setter.accept(builder(16, DESTINATION)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(problem);
    }

    static Stream<Arguments> bad() {
        return Stream.of(
                bad("maxAttempts is 0, expected 1 to 1000000", b -> b.maxAttempts(0)),
                bad("workers is 65, expected 1 to 64", b -> b.workers(65)),
                bad("batchSize is -1, expected 1 to 10000", b -> b.batchSize(-1)),
                bad("maxInFlight is 0, expected 1 to 100000", b -> b.maxInFlight(0)),
                bad("maxInFlightBytes is 1023, expected 1024 to 4294967296", b -> b.maxInFlightBytes(1023)),
                bad("lease is 499 ms, expected 500 ms to 1 h", b -> b.lease(Duration.ofMillis(499))),
                bad("lease is null", b -> b.lease(null)),
                bad("deliveryTimeout is 31 m, expected 10 ms to 30 m", b -> b.deliveryTimeout(Duration.ofMinutes(31))),
                bad("minPollInterval is 0 ms, expected 1 ms to 1 h", b -> b.minPollInterval(Duration.ZERO)),
                bad("maxPollInterval is -1 s, expected 1 ms to 1 h", b -> b.maxPollInterval(Duration.ofSeconds(-1))),
                bad("settleDelay is 11 s, expected 0 ms to 10 s", b -> b.settleDelay(Duration.ofSeconds(11))),
                bad(
                        "housekeepingInterval is 1 ms, expected 10 ms to 1 h",
                        b -> b.housekeepingInterval(Duration.ofMillis(1))),
                bad("sweepInterval is 1 d 1 h, expected 10 ms to 1 d", b -> b.sweepInterval(Duration.ofHours(25))),
                bad("closeTimeout is 2 h, expected 0 ms to 1 h", b -> b.closeTimeout(Duration.ofHours(2))));
    }

    private static Arguments bad(String problem, Consumer<RelayBuilder> setter) {
        return arguments(problem, setter);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("nulls")
    void refusesNullWithTheOptionsName(String option, Consumer<RelayBuilder> setter) {
        assertThatThrownBy(() -> setter.accept(builder(16, DESTINATION)))
                .isInstanceOf(NullPointerException.class)
                .hasMessage(option);
    }

    static Stream<Arguments> nulls() {
        return Stream.of(
                bad("ordering", b -> b.ordering(null)),
                bad("onExhausted", b -> b.onExhausted(null)),
                bad("backoff", b -> b.backoff(null)),
                bad("outageBackoff", b -> b.outageBackoff(null)),
                bad("failureClassifier", b -> b.failureClassifier(null)),
                bad("executor", b -> b.executor(null)),
                bad("listener", b -> b.listener(null)),
                bad("store", b -> Relay.builder(null, DESTINATION)),
                bad("router", b -> Relay.builder(store(1), (DestinationRouter) null)));
    }

    @Test
    void refusesADeliveryTimeoutOverHalfOfTheLease() {
        assertThatThrownBy(() -> builder(16, DESTINATION)
                        .lease(Duration.ofSeconds(20))
                        .deliveryTimeout(Duration.ofMillis(10_001))
                        .build())
                .hasMessage("deliveryTimeout is 10.001 s, but may be at most half of the lease, which is 20 s");
    }

    @Test
    void refusesADestinationThatMayTakeLongerThanTheDeliveryTimeout() {
        assertThatThrownBy(() ->
                        builder(16, DESTINATION).lease(Duration.ofSeconds(10)).build())
                .hasMessage("Destination shop may take 6 s to report a send, but deliveryTimeout is 5 s;"
                        + " shorten the one or lengthen the other (and the lease)");
    }

    @Test
    void refusesPollIntervalsInTheWrongOrder() {
        assertThatThrownBy(() -> builder(16, DESTINATION)
                        .minPollInterval(Duration.ofSeconds(1))
                        .build())
                .hasMessage("minPollInterval is 1 s, but maxPollInterval only 250 ms");
    }

    @Test
    void refusesGlobalOrderOverSeveralLanes() {
        assertThatThrownBy(
                        () -> builder(16, DESTINATION).ordering(Ordering.GLOBAL).build())
                .hasMessage("Ordering.GLOBAL needs an outbox with one lane, but test has 16; create one with lanes(1)");
        assertThatCode(() -> builder(1, DESTINATION).ordering(Ordering.GLOBAL).build())
                .doesNotThrowAnyException();
    }

    @Test
    void refusesAnOrderThatTheStoreCannotKeep() {
        assertThatThrownBy(() -> builder(1, DESTINATION).ordering(Ordering.NONE).build())
                .hasMessageStartingWith("test cannot keep Ordering.NONE, only Ordering.PER_KEY, Ordering.GLOBAL");
    }

    @Test
    void triesNoMoreOftenThanTheStoreCounts() {
        assertThat(options(builder(1, DESTINATION)).maxAttempts()).isEqualTo(5);
        assertThat(options(builder(1, DESTINATION).maxAttempts(3)).maxAttempts())
                .isEqualTo(3);
        assertThatThrownBy(() -> builder(1, DESTINATION).maxAttempts(6).build())
                .hasMessage(
                        "maxAttempts is 6, but test counts a message as given up after 5; lower the one, or raise the"
                                + " other");
    }

    @Test
    void refusesNoDestinationAndTwoOfOneName() {
        assertThatThrownBy(() -> Relay.builder(store(1), router()).build())
                .hasMessage("The router lists no destination");
        assertThatThrownBy(() -> Relay.builder(
                                store(1), router(DESTINATION, destination("shop", Duration.ofSeconds(1))))
                        .build())
                .hasMessage("Two destinations have the same name");
    }

    @Test
    void usesNoMoreWorkersThanMayHaveAMessageInFlight() {
        assertThat(workers(builder(16, DESTINATION).workers(8))).isEqualTo(8);
        assertThat(workers(builder(16, DESTINATION).workers(8).maxInFlight(3))).isEqualTo(3);
        assertThat(workers(builder(1, DESTINATION).workers(8).ordering(Ordering.GLOBAL)))
                .isEqualTo(1);
    }

    @Test
    void keepsTheLimitsOverAllWorkersTogether() {
        RelayOptions options = options(builder(16, DESTINATION)
                .workers(4)
                .maxInFlight(10)
                .maxInFlightBytes(4096)
                .batchSize(3));

        assertThat(options.maxInFlightPerWorker() * options.workers()).isLessThanOrEqualTo(10);
        assertThat(options.maxInFlightBytesPerWorker()).isEqualTo(1024);
        assertThat(options.maxRowsPerWorker()).isEqualTo(6);
        assertThat(options.maxBytesPerWorker()).isEqualTo(2048);
    }

    @Test
    void ownsNothingAndDoesNothingBeforeItIsStarted() {
        Relay relay = builder(16, DESTINATION).build();

        assertThat(relay.isRunning()).isFalse();
        assertThat(relay.ownedLanes()).isEmpty();
        relay.close();
        assertThatThrownBy(relay::start).hasMessage("The relay is CLOSED; a relay is started once, build a new one");
    }

    @Test
    void refusesToPauseADestinationThatItDoesNotHave() {
        Relay relay = builder(16, DESTINATION).build();

        assertThatThrownBy(() -> relay.pause("Shop")).hasMessage("There is no destination 'Shop', only [shop]");
        assertThatThrownBy(() -> relay.resume("kafka")).hasMessage("There is no destination 'kafka', only [shop]");
    }

    private static int workers(RelayBuilder builder) {
        return options(builder).workers();
    }

    private static RelayOptions options(RelayBuilder builder) {
        return builder.buildCore(new RelayListener() {}).context().options();
    }

    private static RelayBuilder builder(int lanes, Destination destination) {
        return Relay.builder(store(lanes), destination);
    }

    private static Destination destination(String name, Duration timeout) {
        return BlockingDestination.of(name, message -> {}, 1, timeout);
    }

    private static DestinationRouter router(Destination... destinations) {
        return new DestinationRouter() {
            @Override
            public Destination route(OutboxMessage message) {
                return destinations[0];
            }

            @Override
            public Collection<Destination> destinations() {
                return List.of(destinations);
            }
        };
    }

    private static OutboxStore store(int lanes) {
        return (OutboxStore) Proxy.newProxyInstance(
                RelayBuilderTest.class.getClassLoader(),
                new Class<?>[] {OutboxStore.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "defaultOrdering" -> Ordering.PER_KEY;
                    case "name" -> "test";
                    case "laneCount" -> lanes;
                    case "maxSupportedAttempts" -> 5;
                    case "forRelay" -> noRelayStore();
                    case "orderings" -> EnumSet.of(Ordering.PER_KEY, Ordering.GLOBAL);
                    default -> null;
                });
    }

    private static RelayStore noRelayStore() {
        return (RelayStore) Proxy.newProxyInstance(
                RelayBuilderTest.class.getClassLoader(),
                new Class<?>[] {RelayStore.class},
                (proxy, method, arguments) -> null);
    }
}
