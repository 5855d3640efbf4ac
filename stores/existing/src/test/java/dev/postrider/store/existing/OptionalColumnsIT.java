package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testkit.RecordingDestination;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A table of one's own, whose names are reserved words, with all columns, without any of them, and with further tables. */
class OptionalColumnsIT {

    private static final Duration LONG = Duration.ofSeconds(30);

    private static final List<Role> OPTIONAL = List.of(
            Role.MESSAGE_ID,
            Role.AGGREGATE_TYPE,
            Role.KEY,
            Role.HEADERS,
            Role.STATUS,
            Role.ATTEMPTS,
            Role.LAST_ERROR,
            Role.CREATED,
            Role.DELIVERED,
            Role.NEXT_ATTEMPT,
            Role.LAST_ATTEMPT,
            Role.CLAIMED_UNTIL);

    private final RecordingDestination broker = new RecordingDestination("broker");
    private final Set<String> failedOnce = ConcurrentHashMap.newKeySet();

    static Stream<Arguments> withoutOneOrAll() {
        return Stream.of(Server.POSTGRES, Server.MYSQL)
                .flatMap(server -> Stream.of(
                                Stream.of(List.<Role>of()), OPTIONAL.stream().map(List::of), Stream.of(OPTIONAL))
                        .flatMap(all -> all)
                        .map(absent -> Arguments.of(server, absent)));
    }

    @ParameterizedTest(name = "{0} without {1}")
    @MethodSource("withoutOneOrAll")
    void deliversRetriesAndGivesUpWhateverColumnTheTableLacks(Server server, List<Role> absent) {
        Tables tables = emptied(server);
        OutboxStore store = Tables.builder(tables.dataSource(), without(absent)).build();

        relayGoodSlowAndBad(store);

        assertThat(broker.delivered().stream().map(OptionalColumnsIT::textOf))
                .containsExactlyInAnyOrder("good", "slow");
        assertThat(store.stats().dead()).isEqualTo(1);
        assertThat(store.stats().held()).isZero();
        int sent = broker.sent().size();
        Relay.builder(store, broker).ordering(Ordering.NONE).build().drainOnce();
        assertThat(broker.sent()).hasSize(sent);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MYSQL"})
    void movesDeliveredAndGivenUpRowsToTablesOfTheirOwnAndBack(Server server) {
        Tables tables = emptied(server);
        TableMapping mapping = without(List.of()).toBuilder()
                .deliveredTable("done")
                .deadTable("graves")
                .build();
        OutboxStore store = Tables.builder(tables.dataSource(), mapping).build();

        relayGoodSlowAndBad(store);

        assertThat(count(tables, "Order")).isZero();
        assertThat(count(tables, "done")).isEqualTo(2);
        assertThat(count(tables, "graves")).isEqualTo(1);
        assertThat(store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10))
                .singleElement()
                .satisfies(letter -> assertThat(textOf(letter.message())).isEqualTo("bad"))
                .satisfies(letter -> assertThat(letter.error()).contains("never"));

        broker.answer(message -> DeliveryResult.DELIVERED);
        assertThat(store.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "op"))
                .isEqualTo(1);
        Relay.builder(store, broker).ordering(Ordering.NONE).build().drainOnce();
        assertThat(count(tables, "done")).isEqualTo(3);
        assertThat(count(tables, "graves")).isZero();
        assertThat(store.maintenance().deleteSent(Duration.ofDays(1), 10)).isZero();
        tables.execute(quoted(server, "UPDATE {done} SET {into} = '2026-01-01'"));
        assertThat(store.maintenance().deleteSent(Duration.ofDays(1), 10)).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"POSTGRES, infinity", "POSTGRES, -infinity", "POSTGRES, 294276-12-31", "MYSQL, 0000-00-00 00:00:00"})
    void deliversRowsWhoseTimesAreImpossible(Server server, String time) {
        Tables tables = emptied(server);
        String update =
                server == Server.POSTGRES ? "UPDATE {Order} SET {order} = '" : "UPDATE IGNORE {Order} SET {order} = '";
        tables.execute(quoted(server, update + time + "'"));
        OutboxStore store =
                Tables.builder(tables.dataSource(), without(List.of())).build();
        assertThat(store.stats().undelivered()).isEqualTo(3);

        relayGoodSlowAndBad(store);

        assertThat(store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10))
                .hasSize(1);
    }

    private void relayGoodSlowAndBad(OutboxStore store) {
        broker.answer(message -> switch (textOf(message)) {
            case "slow" ->
                failedOnce.add("slow") ? DeliveryResult.retry("busy \uD83D\uDE00") : DeliveryResult.DELIVERED;
            case "bad" -> DeliveryResult.reject("never");
            default -> DeliveryResult.DELIVERED;
        });
        try (Relay relay = Relay.builder(store, broker)
                .ordering(Ordering.NONE)
                .backoff(Backoff.constant(Duration.ofMillis(20)))
                .build()) {
            relay.start();
            broker.awaitDelivered(2, LONG);
            broker.awaitSent(4, LONG);
        }
    }

    private static TableMapping without(List<Role> absent) {
        TableMapping.Builder mapping = TableMapping.builder("Order")
                .column(Role.ID, "select")
                .type(MappedText.column("from"))
                .topic(MappedText.fixed("it's \\ a topic"))
                .column(Role.MESSAGE_ID, "where")
                .column(Role.AGGREGATE_TYPE, "group")
                .column(Role.KEY, "key")
                .column(Role.PAYLOAD, "values")
                .column(Role.HEADERS, "having")
                .column(Role.ATTEMPTS, "limit")
                .column(Role.LAST_ERROR, "table")
                .column(Role.CREATED, "order")
                .column(Role.DELIVERED, "into")
                .column(Role.NEXT_ATTEMPT, "until")
                .column(Role.LAST_ATTEMPT, "since")
                .column(Role.CLAIMED_UNTIL, "for")
                .retryDelay(Duration.ofMillis(10), Duration.ofMillis(50))
                .status(StatusValues.of("update", "n'ew")
                        .withSending("sending")
                        .withRetry("retry")
                        .withDelivered("done")
                        .withDead("dead"));
        absent.forEach(mapping::without);
        return mapping.build();
    }

    private static Tables emptied(Server server) {
        Tables tables = Tables.empty(server, Preset.RELAY_LOCK);
        for (String table : List.of("Order", "done", "graves")) {
            tables.execute("DROP TABLE IF EXISTS " + quoted(server, table));
            tables.execute(create(server, table));
        }
        for (String text : List.of("good", "slow", "bad")) {
            tables.execute(
                    quoted(
                            server,
                            "INSERT INTO {Order} ({from}, {where}, {group}, {key}, {values}) VALUES ('T', ?, 'g', 'k', ?)"),
                    "event-" + text,
                    text);
        }
        return tables;
    }

    private static String create(Server server, String table) {
        boolean isPostgres = server == Server.POSTGRES;
        return quoted(server, """
                CREATE TABLE {%s} ({select} %s PRIMARY KEY, {from} VARCHAR(20), {where} VARCHAR(40), {group} VARCHAR(20), {key} VARCHAR(20),
                {values} TEXT, {having} %s, {update} VARCHAR(10) DEFAULT 'n''ew', {limit} %s DEFAULT 0, {table} VARCHAR(20) %s,
                {order} %4$s DEFAULT CURRENT_TIMESTAMP, {into} %4$s, {until} %4$s, {since} %4$s, {for} %4$s)""".replace("%4$s", isPostgres ? "TIMESTAMPTZ" : "TIMESTAMP NULL").formatted(
                table,
                isPostgres ? "BIGSERIAL" : "BIGINT AUTO_INCREMENT",
                isPostgres ? "JSONB" : "JSON",
                isPostgres ? "INT" : "INT UNSIGNED",
                isPostgres ? "" : "CHARACTER SET latin1"));
    }

    /** Names stand in braces, or are the whole text. */
    private static String quoted(Server server, String text) {
        String quote = server == Server.POSTGRES ? "\"" : "`";
        return text.contains("{") ? text.replaceAll("[{}]", quote) : quote + text + quote;
    }

    private static long count(Tables tables, String table) {
        return Long.parseLong(tables.value("SELECT COUNT(*) FROM " + quoted(tables.server, table)));
    }

    private static String textOf(OutboxMessage message) {
        return new String(message.payload(), StandardCharsets.UTF_8);
    }
}
