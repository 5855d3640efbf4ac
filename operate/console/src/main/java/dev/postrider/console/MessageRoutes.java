package dev.postrider.console;

import dev.postrider.message.MessageId;
import dev.postrider.service.database.MessageBrowser;
import dev.postrider.service.database.MessageQuery;
import dev.postrider.service.database.Place;
import dev.postrider.service.database.StoredMessage;
import dev.postrider.service.operation.Fields;
import dev.postrider.service.operation.KeyLine;
import dev.postrider.service.operation.OperatedOutbox;
import dev.postrider.service.operation.Operator;
import dev.postrider.spi.RowRef;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Messages, one message, one key, and what operators do to the message that holds a key back. Thread-safe. */
final class MessageRoutes {

    private final WatchedOutboxes outboxes;
    private final MessageViews views;

    MessageRoutes(WatchedOutboxes outboxes, MessageViews views) {
        this.outboxes = outboxes;
        this.views = views;
    }

    List<Route> all() {
        return List.of(
                Route.read(Route.OUTBOX + "/messages", this::messages),
                Route.read(Route.OUTBOX + "/messages/{id}", this::message),
                Route.read(Route.OUTBOX + "/key", this::key),
                Route.write(Route.OUTBOX + "/unblock", this::unblock),
                Route.write(Route.OUTBOX + "/held/{id}/{action}", this::held));
    }

    private MessageBrowser browser(Call call) {
        OperatedOutbox opened = outboxes.own(call);
        return opened.tables().messages(opened.store());
    }

    private ConsoleResponse messages(Call call) {
        Place place = place(call);
        Map<String, String> equal = new LinkedHashMap<>();
        call.value("topic").ifPresent(value -> equal.put("topic", value));
        call.value("key").ifPresent(value -> equal.put("message_key", value));
        call.value("type").ifPresent(value -> equal.put("type", value));
        if (place == Place.DEAD) {
            call.value("reason").ifPresent(value -> equal.put("reason", value));
        }
        boolean hasError = place == Place.HELD || place == Place.DEAD;
        MessageBrowser browser = browser(call);
        if (place == Place.SENT && !browser.keepsDelivered()) {
            return ConsoleResponse.found(Map.of("messages", List.of(), "is_partial", false, "keeps_delivered", false));
        }
        Optional<String> destination = call.value("destination");
        if (place == Place.HELD) {
            destination.ifPresent(value -> equal.put("destination", value));
        }
        MessageBrowser.Page page = browser.list(new MessageQuery(
                place,
                equal,
                call.value("id").map(MessageId::of),
                hasError ? call.value("error") : Optional.empty(),
                destination
                        .filter(value -> place != Place.HELD)
                        .map(value -> new MessageQuery.Route(
                                WatchedOutboxes.routes(outboxes.own(call)).patterns(), value)),
                call.time("before"),
                call.value("after"),
                call.number("limit", 50, 1, 200)));
        return ConsoleResponse.found(new Fields()
                .with(
                        "messages",
                        page.messages().stream().map(MessageViews::row).toList())
                .with("next", page.next())
                .with("is_partial", page.isPartial())
                .with("looked_at", MessageBrowser.LOOKED_AT)
                .with("now", browser.now())
                .map());
    }

    private static Place place(Call call) {
        String word = call.value("in").orElse("hot");
        return Arrays.stream(Place.values())
                .filter(place -> place.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "'in' is '" + word + "', expected hot, held, delayed, dead or sent"));
    }

    private ConsoleResponse message(Call call) {
        MessageBrowser browser = browser(call);
        MessageId id = MessageId.of(call.part(1));
        Optional<StoredMessage> found = call.value("seq")
                .filter(seq -> place(call) != Place.DELAYED)
                .flatMap(seq -> browser.find(place(call), lane(call), sequence(seq), id))
                .or(() -> browser.find(id));
        return found.map(message -> ConsoleResponse.found(views.whole(message, browser, call.role())
                        .with("now", browser.now())
                        .with("cli_options", outboxes.own(call).commandOptions())
                        .map()))
                .orElseGet(() -> ConsoleResponse.error(
                        404,
                        "There is no message with this id. If it was there, it was delivered or discarded since;"
                                + " messages that have no index by id are looked for among the first 1,000 of their"
                                + " table"));
    }

    private static int lane(Call call) {
        return call.number("lane", 0, 0, Integer.MAX_VALUE);
    }

    private static long sequence(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException("'seq' is no number", wrong);
        }
    }

    private static String keyOf(Call call) {
        return call.value("key").orElseThrow(() -> new IllegalArgumentException("'key' is missing"));
    }

    private ConsoleResponse key(Call call) {
        return ConsoleResponse.found(
                MessageViews.line(KeyLine.read(outboxes.own(call), keyOf(call), call.value("after"))));
    }

    private ConsoleResponse unblock(Call call) {
        String key = keyOf(call);
        if (call.flag("dry_run")) {
            long blocked = KeyLine.read(outboxes.own(call), key).steps().stream()
                    .filter(step -> step.standing() == KeyLine.Standing.BLOCKED)
                    .count();
            return ConsoleResponse.found(Map.of("matching", blocked));
        }
        int unblocked = outboxes.operator(call).unblock(Optional.of(key));
        outboxes.of(call).changed();
        return ConsoleResponse.found(Map.of("unblocked", unblocked));
    }

    private ConsoleResponse held(Call call) {
        boolean isRetry = call.choice(2, "retry", "discard").equals("retry");
        RowRef row = new RowRef(
                lane(call),
                sequence(call.value("seq").orElseThrow(() -> new IllegalArgumentException("'seq' is missing"))),
                MessageId.of(call.part(1)));
        if (call.flag("dry_run")) {
            MessageBrowser browser = browser(call);
            boolean isThere =
                    browser.find(Place.HELD, row.lane(), row.seq(), row.id()).isPresent();
            return ConsoleResponse.found(Map.of("matching", isThere ? 1 : 0));
        }
        Operator operator = outboxes.operator(call);
        boolean isDone = isRetry ? operator.retryHeld(row) : operator.discardHeld(row);
        outboxes.of(call).changed();
        return isDone
                ? ConsoleResponse.found(Map.of("done", 1))
                : ConsoleResponse.error(
                        409, "The message is being tried at this moment, or holds nothing back any more; look again");
    }
}
