package dev.postrider.spring.boot;

import dev.postrider.internal.Internal;
import dev.postrider.message.MessageId;
import dev.postrider.relay.Relay;
import dev.postrider.service.operation.BatchAction;
import dev.postrider.service.operation.DeadAction;
import dev.postrider.service.operation.Fields;
import dev.postrider.service.operation.LetterJson;
import dev.postrider.service.operation.Operator;
import dev.postrider.service.operation.OutboxStatus;
import dev.postrider.service.operation.Selection;
import dev.postrider.service.operation.StatusJson;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.RowRef;
import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.lang.Nullable;

/**
 * {@code /actuator/postrider}: how the outboxes stand, their lanes, destinations and dead letters; retries and discards dead letters, pauses
 * and resumes destinations. What it changes is written to the outbox's operation log with the name of the user.
 *
 * <p>It does what the command line does, by the same code. Payloads are not shown.
 */
@Internal
@Endpoint(id = "postrider")
public final class PostriderEndpoint {

    private static final int DEFAULT_PAGE = 50;
    private static final int LARGEST_PAGE = 500;
    private static final int AT_ONCE = 10_000;

    private final Supplier<List<OutboxLifecycle>> outboxes;

    PostriderEndpoint(Supplier<List<OutboxLifecycle>> outboxes) {
        this.outboxes = outboxes;
    }

    /** How each outbox stands, by name. */
    @ReadOperation
    public Map<String, Object> status() {
        Map<String, Object> all = new LinkedHashMap<>();
        outboxes.get().forEach(outbox -> all.put(outbox.name(), statusOf(outbox)));
        return Map.of("outboxes", all);
    }

    private static Map<String, Object> statusOf(OutboxLifecycle outbox) {
        return StatusJson.fields(OutboxStatus.read(outbox.name(), outbox.store(), Optional.empty()))
                .with("relay", outbox.relay().map(Relay::id))
                .map();
    }

    /**
     * One part of an outbox.
     *
     * @param part lanes, destinations or dead
     * @param outbox which one; needed where there are several
     * @param after the id of the last dead letter of the page before
     */
    @ReadOperation
    public Map<String, Object> part(
            @Selector String part,
            @Nullable String outbox,
            @Nullable String topic,
            @Nullable String type,
            @Nullable String key,
            @Nullable DeadReason reason,
            @Nullable Integer limit,
            @Nullable String after) {
        OutboxLifecycle found = outbox(outbox);
        return switch (part) {
            case "lanes" -> Map.of("lanes", statusOf(found).getOrDefault("lanes", List.of()));
            case "destinations" -> destinations(found);
            case "dead" -> page(found.store().deadLetters(), filter(null, topic, type, key, reason), limit, after);
            default -> throw wrong("There is no '" + part + "'; expected lanes, destinations or dead");
        };
    }

    private static Map<String, Object> destinations(OutboxLifecycle outbox) {
        Map<String, Object> states = new LinkedHashMap<>();
        outbox.relay()
                .ifPresent(relay -> relay.destinations().forEach((name, state) -> states.put(name, state.name())));
        return new Fields()
                .with("destinations", states)
                .with("paused", outbox.store().pauses().paused())
                .with(
                        "unavailable",
                        outbox.relay().map(Relay::unavailablePlaces).orElse(List.of()).stream()
                                .map(place -> place.destination() + ": " + place.place())
                                .toList())
                .map();
    }

    private static Map<String, Object> page(
            DeadLetters letters, DeadLetterFilter filter, @Nullable Integer limit, @Nullable String after) {
        int size = limit == null ? DEFAULT_PAGE : limit;
        if (size < 1 || size > LARGEST_PAGE) {
            throw wrong("limit is " + size + ", expected 1 to " + LARGEST_PAGE);
        }
        Optional<DeadLetter> last = Optional.ofNullable(after)
                .map(id -> letters.find(idOf(id))
                        .orElseThrow(() -> wrong("There is no dead letter '" + id + "' to go on after; begin again")));
        List<DeadLetter> page = letters.list(filter, last, size);
        Optional<Object> next = page.size() < size
                ? Optional.empty()
                : Optional.of(page.get(size - 1).ref().id().toString());
        return new Fields()
                .with(
                        "dead",
                        page.stream()
                                .map(letter -> LetterJson.fields(letter, false).map())
                                .toList())
                .with("next", next)
                .map();
    }

    /**
     * Changes something.
     *
     * @param action retry, discard, pause or resume
     * @param all needed to retry or discard all dead letters, without a filter
     * @param dryRun only says what would be done
     */
    @WriteOperation
    public Map<String, Object> change(
            @Selector String action,
            @Nullable String outbox,
            @Nullable String id,
            @Nullable String topic,
            @Nullable String type,
            @Nullable String key,
            @Nullable DeadReason reason,
            @Nullable Boolean all,
            @Nullable String destination,
            @Nullable Boolean dryRun,
            SecurityContext user) {
        OutboxLifecycle found = outbox(outbox);
        boolean isTrial = Boolean.TRUE.equals(dryRun);
        return switch (action) {
            case "retry", "discard" -> {
                DeadLetterFilter filter = filter(id, topic, type, key, reason);
                if (filter.equals(DeadLetterFilter.all()) && !Boolean.TRUE.equals(all)) {
                    throw wrong("Which dead letters? Give id, topic, type, key or reason, or \"all\": true");
                }
                Selection selection = Selection.of(found.store().deadLetters(), filter);
                yield isTrial ? Map.of("matching", selection.count(AT_ONCE)) : act(selection, action, operator(user));
            }
            case "pause", "resume" -> switchTo(action.equals("pause"), found, destination, isTrial, operator(user));
            default -> throw wrong("There is no '" + action + "'; expected retry, discard, pause or resume");
        };
    }

    private static Map<String, Object> act(Selection selection, String action, String operator) {
        boolean isRetry = action.equals("retry");
        List<RowRef> meant = selection.refs(AT_ONCE);
        BatchAction.Step step = (isRetry ? DeadAction.RETRY : DeadAction.DISCARD).step(operator);
        long done = new BatchAction(step, count -> {}).run(selection, meant);
        return Map.of(isRetry ? "requested" : "discarded", done, "more", meant.size() == AT_ONCE);
    }

    private static Map<String, Object> switchTo(
            boolean paused, OutboxLifecycle outbox, @Nullable String destination, boolean isTrial, String operator) {
        List<String> known = outbox.relay()
                .map(relay -> List.copyOf(relay.destinations().keySet()))
                .orElse(List.of());
        if (destination == null) {
            throw wrong("destination is missing, expected one of " + known);
        }
        try {
            boolean wasPaused = new Operator(outbox.store(), operator).setPaused(destination, paused, known, isTrial);
            return Map.of("destination", destination, "wasPaused", wasPaused, "paused", isTrial ? wasPaused : paused);
        } catch (IllegalArgumentException unknown) {
            throw wrong(String.valueOf(unknown.getMessage()));
        }
    }

    private OutboxLifecycle outbox(@Nullable String name) {
        List<OutboxLifecycle> all = outboxes.get();
        return all.stream()
                .filter(outbox -> name == null ? all.size() == 1 : outbox.name().equals(name))
                .findFirst()
                .orElseThrow(() -> wrong("outbox is '" + name + "', expected one of "
                        + all.stream().map(OutboxLifecycle::name).toList()));
    }

    private static DeadLetterFilter filter(
            @Nullable String id,
            @Nullable String topic,
            @Nullable String type,
            @Nullable String key,
            @Nullable DeadReason reason) {
        DeadLetterFilter filter = id == null ? DeadLetterFilter.all() : DeadLetterFilter.byId(idOf(id));
        filter = topic == null ? filter : filter.withTopic(topic);
        filter = type == null ? filter : filter.withType(type);
        filter = key == null ? filter : filter.withKey(key);
        return reason == null ? filter : filter.withReason(reason);
    }

    private static MessageId idOf(String text) {
        try {
            return MessageId.of(text);
        } catch (IllegalArgumentException invalid) {
            throw wrong("id is '" + text + "', which is no message id");
        }
    }

    private static String operator(SecurityContext user) {
        Principal principal = user.getPrincipal();
        return principal == null ? "actuator" : principal.getName();
    }

    private static InvalidEndpointRequestException wrong(String problem) {
        return new InvalidEndpointRequestException(problem, problem);
    }
}
