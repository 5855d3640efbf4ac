package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.SendContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a destination learns of a row beside its message. */
class SendContextIT {

    private static final Instant WRITTEN = Instant.parse("2026-01-02T03:04:05Z");

    private final Contexts destination = new Contexts();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POSTGRES | EVENT_OUTBOX | retry_count = 2, created_at = '2026-01-02 03:04:05Z'",
                "MYSQL | RECORDS | attempt_count = 2, created_at = FROM_UNIXTIME(1767323045), updated_at = created_at",
                "MARIADB | RECORDS | attempt_count = 2, created_at = FROM_UNIXTIME(1767323045), updated_at ="
                        + " created_at",
                "MYSQL | ENUM_STATUS | attempts = 2, created_at = '2026-01-02 03:04:05', status = 'failed',"
                        + " next_attempt_at = created_at",
                "MYSQL | PENDING_WAIT | retry_count = 2, create_time = '2026-01-02 03:04:05'"
            },
            quoteCharacter = '"')
    void tellsWhenTheRowWasWrittenAndHowManyAttemptsHaveFailed(Server server, Preset preset, String past) {
        Tables tables = Tables.empty(server, preset);
        tables.insert(1);
        tables.execute("UPDATE %s SET %s".formatted(tables.table(), past));

        drain(tables);

        assertThat(destination.contexts).singleElement().satisfies(context -> {
            assertThat(context.createdAt()).isEqualTo(WRITTEN);
            assertThat(context.failedAttempts()).isEqualTo(2);
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POSTGRES | EVENT_OUTBOX | '2026-01-02 03:04:05Z'",
                "MYSQL | RECORDS | FROM_UNIXTIME(1767323045)",
                "MYSQL | ENUM_STATUS | '2026-01-02 03:04:05'"
            },
            quoteCharacter = '"')
    void sendsTheTimeOfTheRowAsThatOfTheEvent(Server server, Preset preset, String written) {
        Tables tables = Tables.empty(server, preset);
        tables.insert(1);
        tables.execute("UPDATE %s SET created_at = %s".formatted(tables.table(), written));

        drain(tables);

        assertThat(destination.messages)
                .singleElement()
                .satisfies(message ->
                        assertThat(message.headers().get(Headers.TIME)).contains(WRITTEN.toString()));
    }

    private void drain(Tables tables) {
        OutboxStore store = tables.leaderStore();
        Relay.builder(store, destination).ordering(Ordering.GLOBAL).build().drainOnce();
    }

    /** Takes everything, and remembers what it was told. */
    private static final class Contexts implements Destination {

        private final List<OutboxMessage> messages = new ArrayList<>();
        private final List<SendContext> contexts = new ArrayList<>();

        @Override
        public String name() {
            return "contexts";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            throw new AssertionError("sent without its context");
        }

        @Override
        public synchronized CompletionStage<DeliveryResult> send(OutboxMessage message, SendContext context) {
            messages.add(message);
            contexts.add(context);
            return CompletableFuture.completedFuture(DeliveryResult.DELIVERED);
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(1);
        }
    }
}
