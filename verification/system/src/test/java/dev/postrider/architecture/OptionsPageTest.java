package dev.postrider.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Outbox;
import dev.postrider.bus.SubscriberOptions;
import dev.postrider.destination.kafka.KafkaDestination;
import dev.postrider.destination.kafka.KafkaReceiver;
import dev.postrider.destination.memory.MemoryReceiverOptions;
import dev.postrider.destination.nats.NatsDestination;
import dev.postrider.destination.nats.NatsReceiver;
import dev.postrider.destination.rabbitmq.RabbitmqDestination;
import dev.postrider.destination.rabbitmq.RabbitmqReceiver;
import dev.postrider.maintenance.Cleanup;
import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.micrometer.PostriderMetrics;
import dev.postrider.opentelemetry.OpenTelemetryTracing;
import dev.postrider.relay.Relay;
import dev.postrider.source.MessageSource;
import dev.postrider.source.SourceOutboxStore;
import dev.postrider.spring.SpringOutbox;
import dev.postrider.store.existing.MoveOutboxStore;
import dev.postrider.store.existing.Preset;
import dev.postrider.store.existing.StatusOutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.mysql.MysqlOutboxStore;
import dev.postrider.store.postgres.PostgresInboxStore;
import dev.postrider.store.postgres.PostgresNotifications;
import dev.postrider.store.postgres.PostgresOutboxStore;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The options page names every option of every builder, with the default and the range that the code has. */
class OptionsPageTest {

    private static final OptionsPage PAGE = OptionsPage.read();

    private static final InMemoryOutboxStore STORE = new InMemoryOutboxStore(4, Clock.systemUTC(), true);
    private static final DataSource NO_DATABASE = (DataSource) Proxy.newProxyInstance(
            OptionsPageTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                throw new AssertionError("No database needed for defaults: " + method);
            });

    private static final Map<String, Supplier<Object>> BUILDERS = new TreeMap<>(Map.ofEntries(
            Map.entry("Relay.builder", () -> Relay.builder(STORE, new RecordingDestination("broker"))),
            Map.entry("OpenTelemetryTracing.builder", () -> OpenTelemetryTracing.builder(OpenTelemetry.noop())),
            Map.entry("Outbox.builder", () -> Outbox.builder(STORE)),
            Map.entry("SpringOutbox.builder", () -> SpringOutbox.builder(Outbox.withDefaults(STORE), NO_DATABASE)),
            Map.entry("MessageLimits.defaults", MessageLimits::defaults),
            Map.entry("SubscriberOptions.defaults", SubscriberOptions::defaults),
            Map.entry("MemoryReceiverOptions.defaults", MemoryReceiverOptions::defaults),
            Map.entry("PostgresOutboxStore.builder", () -> PostgresOutboxStore.builder(NO_DATABASE)),
            Map.entry("PostgresNotifications.builder", () -> PostgresNotifications.builder(STORE, NO_DATABASE)),
            Map.entry("MysqlOutboxStore.builder", () -> MysqlOutboxStore.builder(NO_DATABASE)),
            Map.entry("H2OutboxStore.builder", () -> H2OutboxStore.builder(NO_DATABASE)),
            Map.entry(
                    "StatusOutboxStore.builder",
                    () -> StatusOutboxStore.builder(NO_DATABASE, Preset.EVENT_OUTBOX.mapping())),
            Map.entry("MoveOutboxStore.builder", () -> MoveOutboxStore.builder(NO_DATABASE)),
            Map.entry("KafkaDestination.builder", () -> KafkaDestination.builder("kafka", "localhost:9092")),
            Map.entry("RabbitmqDestination.builder", () -> RabbitmqDestination.builder("rabbit")),
            Map.entry("NatsDestination.builder", () -> NatsDestination.builder("nats")),
            Map.entry("KafkaReceiver.builder", () -> KafkaReceiver.builder("billing", "localhost:9092")),
            Map.entry("RabbitmqReceiver.plain", () -> RabbitmqReceiver.plain("billing")),
            Map.entry("RabbitmqReceiver.parkingLot", () -> RabbitmqReceiver.parkingLot("billing")),
            Map.entry("NatsReceiver.builder", () -> NatsReceiver.builder("billing", "ORDERS")),
            Map.entry("PostgresInboxStore.builder", () -> PostgresInboxStore.builder(NO_DATABASE)),
            Map.entry("SourceOutboxStore.builder", OptionsPageTest::sourceBuilder),
            Map.entry("Cleanup.builder", () -> Cleanup.builder(STORE, Duration.ofDays(1))),
            Map.entry("PartitionKeeper.builder", () -> PartitionKeeper.builder(STORE, PartitionPeriod.DAY)),
            Map.entry("PostriderMetrics.builder", () -> PostriderMetrics.builder(STORE, new SimpleMeterRegistry()))));

    private static Object sourceBuilder() {
        MessageSource<OutboxMessage> source = new MessageSource<>() {
            @Override
            public List<OutboxMessage> fetch(int limit) {
                return List.of();
            }

            @Override
            public MessageId id(OutboxMessage item) {
                return item.id();
            }

            @Override
            public OutboxMessage toMessage(OutboxMessage item) {
                return item;
            }

            @Override
            public void acknowledge(List<OutboxMessage> items) {}
        };
        return SourceOutboxStore.builder(source);
    }

    static Stream<String> builders() {
        return BUILDERS.keySet().stream();
    }

    static Stream<Arguments> options() {
        return PAGE.sections().entrySet().stream()
                .filter(section -> BUILDERS.containsKey(section.getKey()))
                .flatMap(section -> section.getValue().stream().map(row -> Arguments.of(section.getKey(), row)));
    }

    @Test
    void hasASectionForEveryBuilder() {
        assertThat(PAGE.sections().keySet()).containsExactlyInAnyOrderElementsOf(BUILDERS.keySet());
    }

    @ParameterizedTest
    @MethodSource("builders")
    void namesExactlyTheOptionsThatThereAre(String builder) {
        assertThat(PAGE.sections().get(builder))
                .extracting(OptionsPage.Row::option)
                .containsExactlyInAnyOrderElementsOf(
                        BuilderOptions.of(BUILDERS.get(builder).get()).names());
    }

    @ParameterizedTest
    @MethodSource("options")
    void namesTheDefault(String builder, OptionsPage.Row row) {
        assertThat(row.defaultValue())
                .isEqualTo(BuilderOptions.of(BUILDERS.get(builder).get()).defaultOf(row.option()));
    }

    @ParameterizedTest
    @MethodSource("options")
    void namesTheRange(String builder, OptionsPage.Row row) throws Exception {
        BuilderOptions options = BuilderOptions.of(BUILDERS.get(builder).get());
        Optional<Method> withOneArgument = options.setter(row.option());
        if (withOneArgument.isEmpty()) {
            return;
        }
        Method setter = withOneArgument.get();
        List<Object> refused = row.refused(setter);
        for (Object edge : row.edges(setter)) {
            assertThatCode(() -> call(options, setter, edge))
                    .as("accepts %s", edge)
                    .doesNotThrowAnyException();
        }
        for (Object beyond : refused) {
            assertThatThrownBy(() -> call(options, setter, beyond))
                    .as("refuses %s", beyond)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static void call(BuilderOptions options, Method setter, Object value) throws Throwable {
        try {
            setter.invoke(options.builder(), value);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }
}
