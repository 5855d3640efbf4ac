package dev.postrider.service.operation;

import dev.postrider.service.database.MessageBrowser;
import dev.postrider.service.database.MessageQuery;
import dev.postrider.service.database.OperatorTables.Control;
import dev.postrider.service.database.Place;
import dev.postrider.service.database.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything of one key in its order, across all tables: what went, what was given up, what goes next, and what waits for whom.
 *
 * @param buried when the key was given up with everything behind it, if it was
 * @param partial tables in which there may be more than is shown
 * @param next where to go on if none of the waiting messages that were looked at is of this key, and not all were looked at
 * @param now by the clock of the database, by which due times count
 */
public record KeyLine(
        String key,
        List<Step> steps,
        Optional<Control> buried,
        List<Place> partial,
        Optional<String> next,
        Instant now) {

    /** How a message of the line stands. */
    public enum Standing {
        DELIVERED,
        GIVEN_UP,
        RETRY_REQUESTED,
        /** Waits for an operator. */
        BLOCKED,
        /** Tried again at its time. */
        RETRIED,
        /** Waits behind an earlier one of the line. */
        BEHIND,
        /** Goes as soon as a relay fetches it. */
        NEXT,
        /** Enters the line when its time has come; holds nothing back. */
        DELAYED
    }

    /**
     * One message of the line.
     *
     * @param waitsFor the id of the message that it stands behind
     * @param until when something happens to it by itself
     */
    public record Step(
            StoredMessage message, Standing standing, Optional<StoredMessage> waitsFor, Optional<Instant> until) {}

    private static final int SHOWN = 200;

    /** Reads the line. */
    public static KeyLine read(OperatedOutbox outbox, String key) {
        return read(outbox, key, Optional.empty());
    }

    /**
     * Reads the line again, with other waiting messages.
     *
     * @param after where the last look has ended, without finding one
     */
    public static KeyLine read(OperatedOutbox outbox, String key, Optional<String> after) {
        MessageBrowser messages = outbox.tables().messages(outbox.store());
        List<Place> places = Stream.of(Place.values())
                .filter(place -> place != Place.SENT || messages.keepsDelivered())
                .toList();
        List<StoredMessage> all = new ArrayList<>();
        List<Place> partial = new ArrayList<>();
        Optional<String> next = Optional.empty();
        for (Place place : places) {
            MessageQuery query = MessageQuery.ofKey(place, key, SHOWN);
            MessageBrowser.Page page = messages.list(place == Place.HOT ? query.withAfter(after) : query);
            all.addAll(page.messages());
            if (place == Place.HOT && page.messages().isEmpty()) {
                next = page.next();
            } else if (page.next().isPresent()) {
                partial.add(place);
            }
        }
        all.sort(Comparator.comparing((StoredMessage message) -> message.place() == Place.DELAYED)
                .thenComparingLong(StoredMessage::seq));
        return new KeyLine(
                key, steps(outbox, all), outbox.tables().operators().buried(key), partial, next, messages.now());
    }

    private static List<Step> steps(OperatedOutbox outbox, List<StoredMessage> ordered) {
        Map<String, StoredMessage> ahead = new HashMap<>();
        List<Step> steps = new ArrayList<>();
        for (StoredMessage message : ordered) {
            String destination = destinationOf(outbox, message);
            steps.add(step(message, Optional.ofNullable(ahead.get(destination))));
            if (message.place() == Place.HELD || message.place() == Place.HOT) {
                ahead.put(destination, message);
            }
        }
        return steps;
    }

    /** Order is kept per key and destination; where no routes are known, all is taken for one line. */
    private static String destinationOf(OperatedOutbox outbox, StoredMessage message) {
        return outbox.routes()
                .map(routes -> routes.destinationOf(message.topic()))
                .orElse("");
    }

    private static Step step(StoredMessage message, Optional<StoredMessage> ahead) {
        return switch (message.place()) {
            case SENT -> new Step(message, Standing.DELIVERED, Optional.empty(), Optional.empty());
            case DEAD ->
                new Step(
                        message,
                        message.is("retry_requested") ? Standing.RETRY_REQUESTED : Standing.GIVEN_UP,
                        Optional.empty(),
                        Optional.empty());
            case DELAYED -> new Step(message, Standing.DELAYED, Optional.empty(), message.time("due_at"));
            case HELD -> held(message, ahead);
            case HOT ->
                ahead.isPresent()
                        ? new Step(message, Standing.BEHIND, ahead, Optional.empty())
                        : new Step(message, Standing.NEXT, Optional.empty(), Optional.empty());
        };
    }

    private static Step held(StoredMessage message, Optional<StoredMessage> ahead) {
        if (message.is("blocked")) {
            return new Step(message, Standing.BLOCKED, Optional.empty(), Optional.empty());
        }
        return message.time("next_attempt_at").isPresent()
                ? new Step(message, Standing.RETRIED, Optional.empty(), message.time("next_attempt_at"))
                : new Step(message, Standing.BEHIND, ahead, Optional.empty());
    }
}
