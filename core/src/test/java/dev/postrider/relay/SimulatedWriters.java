package dev.postrider.relay;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Services that lock their keys, enqueue, and commit late or roll back. Each key counts its committed messages. */
final class SimulatedWriters {

    private final InMemoryOutboxStore store;
    private final Random random;
    private final List<Open> open = new ArrayList<>();
    private final Set<String> locked = new HashSet<>();
    private final Map<String, Integer> counters = new HashMap<>();
    private final Map<String, Message> committed = new LinkedHashMap<>();
    private final Set<String> rolledBack = new HashSet<>();
    private final int keys;
    private final int burst;
    private int ids;

    /**
     * @param keys how many there are
     * @param burst how many messages of a key a writer may enqueue at once
     */
    SimulatedWriters(InMemoryOutboxStore store, Random random, int keys, int burst) {
        this.store = store;
        this.random = random;
        this.keys = keys;
        this.burst = burst;
    }

    void begin() {
        Set<String> mine = new HashSet<>();
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            String key = "k" + random.nextInt(keys);
            if (locked.add(key)) {
                mine.add(key);
            }
        }
        open.add(new Open(store.begin(), mine, new ArrayList<>()));
    }

    void enqueue() {
        if (open.isEmpty()) {
            return;
        }
        Open transaction = open.get(random.nextInt(open.size()));
        if (transaction.keys.isEmpty() || random.nextInt(8) == 0) {
            transaction.enqueue("", 0, message(topic()).build());
            return;
        }
        String key = transaction.keys.stream()
                .skip(random.nextInt(transaction.keys.size()))
                .findFirst()
                .orElseThrow();
        String topic = topic();
        for (int left = 1 + random.nextInt(burst); left > 0; left--) {
            int n = counters.merge(key, 1, Integer::sum);
            transaction.enqueue(key, n, message(topic).key(key).build());
        }
    }

    private String topic() {
        return "t" + random.nextInt(2);
    }

    /** With an id that is decided by the seed, because it decides the lane of a message without key. */
    private OutboxMessage.Builder message(String topic) {
        return OutboxMessage.builder(topic, () -> MessageId.of("m" + ids++)).type("x");
    }

    void end(boolean commits) {
        if (open.isEmpty()) {
            return;
        }
        Open transaction = open.remove(random.nextInt(open.size()));
        locked.removeAll(transaction.keys);
        if (commits) {
            transaction.transaction.commit();
            transaction.messages.forEach(message -> committed.put(message.id(), message));
        } else {
            transaction.transaction.rollback();
            transaction.messages.forEach(message -> rolledBack.add(message.id()));
        }
    }

    boolean hasOpen() {
        return !open.isEmpty();
    }

    Map<String, Message> committed() {
        return committed;
    }

    Set<String> rolledBack() {
        return rolledBack;
    }

    /** A committed message for the destination of this name; n counts within its key, and an empty key means no order. */
    record Message(String id, String destination, String key, int n) {}

    private record Open(InMemoryTransaction transaction, Set<String> keys, List<Message> messages) {

        void enqueue(String key, int n, OutboxMessage message) {
            transaction.enqueue(message);
            messages.add(new Message(message.id().toString(), message.topic(), key, n));
        }
    }
}
