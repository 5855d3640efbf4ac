package dev.postrider.testkit;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.AbstractAssert;

/**
 * Asserts the promises about what a broker has received: nothing lost, nothing that was not committed, each key in order,
 * and no more duplicates than faults explain.
 *
 * <pre>{@code
 * DeliveryAssert.assertThatDeliveries(broker.delivered())
 *         .lackNothingOf(committed)
 *         .containNothingBut(committed)
 *         .keepTheOrderOf(committed)
 *         .haveNoDuplicates();
 * }</pre>
 */
public final class DeliveryAssert extends AbstractAssert<DeliveryAssert, List<OutboxMessage>> {

    private DeliveryAssert(List<OutboxMessage> deliveries) {
        super(deliveries, DeliveryAssert.class);
    }

    /** Starts assertions on messages, given in the order in which the broker accepted them. */
    public static DeliveryAssert assertThatDeliveries(List<OutboxMessage> deliveries) {
        return new DeliveryAssert(List.copyOf(deliveries));
    }

    /** Every committed message was delivered. */
    public DeliveryAssert lackNothingOf(Collection<OutboxMessage> committed) {
        Set<MessageId> missing = ids(committed);
        missing.removeAll(ids(actual));
        if (!missing.isEmpty()) {
            failWithMessage(
                    "%s of %s committed messages were lost: %s", missing.size(), committed.size(), some(missing));
        }
        return this;
    }

    /** Nothing was delivered that was not committed. */
    public DeliveryAssert containNothingBut(Collection<OutboxMessage> committed) {
        Set<MessageId> phantoms = ids(actual);
        phantoms.removeAll(ids(committed));
        if (!phantoms.isEmpty()) {
            failWithMessage(
                    "%s messages were delivered that were never committed: %s", phantoms.size(), some(phantoms));
        }
        return this;
    }

    /** First deliveries of each key follow this order; messages without a key have none. */
    public DeliveryAssert keepTheOrderOf(Collection<OutboxMessage> committedInOrder) {
        Map<String, List<MessageId>> expected = byKey(committedInOrder);
        byKey(actual).forEach((key, delivered) -> {
            List<MessageId> inOrder = new ArrayList<>(expected.getOrDefault(key, List.of()));
            inOrder.retainAll(new HashSet<>(delivered));
            List<MessageId> known = new ArrayList<>(delivered);
            known.retainAll(new HashSet<>(inOrder));
            if (!known.equals(inOrder)) {
                failWithMessage(
                        "Key %s was delivered in the order %s, but committed in the order %s", key, known, inOrder);
            }
        });
        return this;
    }

    /** Nothing was delivered twice. */
    public DeliveryAssert haveNoDuplicates() {
        return haveAtMostDuplicates(0);
    }

    /** At most this many deliveries repeat an earlier one. */
    public DeliveryAssert haveAtMostDuplicates(int limit) {
        int duplicates = actual.size() - ids(actual).size();
        if (duplicates > limit) {
            failWithMessage("%s deliveries were duplicates, expected at most %s", duplicates, limit);
        }
        return this;
    }

    private static Map<String, List<MessageId>> byKey(Collection<OutboxMessage> messages) {
        Map<String, Set<MessageId>> firsts = new LinkedHashMap<>();
        for (OutboxMessage message : messages) {
            message.key()
                    .ifPresent(key -> firsts.computeIfAbsent(key, k -> new LinkedHashSet<>())
                            .add(message.id()));
        }
        Map<String, List<MessageId>> lists = new LinkedHashMap<>();
        firsts.forEach((key, ids) -> lists.put(key, List.copyOf(ids)));
        return lists;
    }

    private static Set<MessageId> ids(Collection<OutboxMessage> messages) {
        Set<MessageId> ids = new LinkedHashSet<>();
        messages.forEach(message -> ids.add(message.id()));
        return ids;
    }

    private static List<MessageId> some(Set<MessageId> ids) {
        return ids.stream().limit(10).toList();
    }
}
