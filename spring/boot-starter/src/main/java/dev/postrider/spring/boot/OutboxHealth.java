package dev.postrider.spring.boot;

import static java.util.Objects.requireNonNull;

import dev.postrider.relay.DestinationState;
import dev.postrider.service.OutboxConfig;
import dev.postrider.service.OutboxProblem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whether the outboxes are being delivered: not if the oldest message is too old, a worker hangs, the store does not answer, or a destination
 * cannot be reached. That is a matter of readiness: a restart would change nothing about it.
 */
final class OutboxHealth {

    /** The group of Boot that says whether an application can take requests. */
    static final String READINESS = "readiness";

    private final PostriderProperties properties;
    private final Supplier<List<OutboxLifecycle>> outboxes;

    OutboxHealth(PostriderProperties properties, Supplier<List<OutboxLifecycle>> outboxes) {
        this.properties = properties;
        this.outboxes = outboxes;
    }

    /** What is wrong, by name of the outbox. */
    Map<String, String> problems() {
        Map<String, String> problems = new LinkedHashMap<>();
        outboxes.get().forEach(outbox -> problem(outbox).ifPresent(problem -> problems.put(outbox.name(), problem)));
        return problems;
    }

    private Optional<String> problem(OutboxLifecycle outbox) {
        OutboxConfig config = requireNonNull(properties.config().outboxes().get(outbox.name()));
        return new OutboxProblem(outbox.store(), config.maxOldestAge())
                .find(outbox.relay())
                .or(() -> closed(outbox));
    }

    private static Optional<String> closed(OutboxLifecycle outbox) {
        return outbox.relay()
                .flatMap(relay -> relay.destinations().entrySet().stream()
                        .filter(each -> each.getValue() == DestinationState.DOWN)
                        .map(each -> "destination " + each.getKey() + " cannot be reached")
                        .findFirst());
    }
}
