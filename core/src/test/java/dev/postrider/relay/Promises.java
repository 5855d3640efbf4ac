package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.SimulatedWriters.Message;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Ordering;
import dev.postrider.testkit.InMemoryOutboxStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What must be true of a history, watched while it happens and checked at its end. */
final class Promises implements SimulatedBroker.Witness {

    private final InMemoryOutboxStore store;
    private final SimulatedBroker broker;
    private final SimulatedWriters writers;
    private final Ordering ordering;
    private final List<String> history;
    private final Set<Happening> happenings = EnumSet.noneOf(Happening.class);
    private final Set<String> outOfOrder = new HashSet<>();
    private final Map<String, Integer> countedFailures = new HashMap<>();
    private final Map<String, Integer> faultsAtFirstSend = new HashMap<>();
    private final Map<String, Integer> copies = new HashMap<>();
    private final Map<Integer, Object> owners = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private int faults;
    private int duplicates;
    private int missedBySweep;

    /** What a key must survive while several of its messages are in flight. */
    enum Happening {
        PAUSE,
        OUTAGE,
        SLOW_DESTINATION,
        NEW_INCARNATION,
        GLOBAL_ORDER,
        HELD_MESSAGE,
        TAKE_OVER
    }

    Promises(
            InMemoryOutboxStore store,
            SimulatedBroker broker,
            SimulatedWriters writers,
            Ordering ordering,
            List<String> history) {
        this.ordering = ordering;
        this.store = store;
        this.broker = broker;
        this.writers = writers;
        this.history = history;
        broker.watch(this);
    }

    Set<Happening> happenings() {
        return happenings;
    }

    private void note(Happening happening) {
        if (broker.hasSeveralOfARun()) {
            happenings.add(happening);
        }
    }

    /** Something failed that may let messages be sent again. */
    void fault(String what) {
        faults++;
        history.add(what);
    }

    /** What was read before it may be sent once more, however late its first send begins. */
    void newIncarnation() {
        fault("new incarnation");
        note(Happening.NEW_INCARNATION);
        writers.committed().keySet().forEach(id -> faultsAtFirstSend.put(id, -1));
    }

    @Override
    public void began(OutboxMessage message) {
        faultsAtFirstSend.putIfAbsent(message.id().toString(), faults);
        if (ordering == Ordering.GLOBAL) {
            note(Happening.GLOBAL_ORDER);
        }
    }

    @Override
    public void arrived(OutboxMessage message) {
        String id = message.id().toString();
        if (copies.merge(id, 1, Integer::sum) > 1) {
            duplicates++;
            expect(faults > faultsAtFirstSend.get(id), "arrives again, though nothing failed since its first send", id);
        }
    }

    @Override
    public void ended(OutboxMessage message, DeliveryResult result, boolean arrives, boolean isCounted) {
        String id = message.id().toString();
        boolean isDelivered = result instanceof DeliveryResult.Delivered;
        if (!isDelivered && isCounted) {
            countedFailures.merge(id, 1, Integer::sum);
        }
        if (result instanceof DeliveryResult.Reject && broker.isPipelined()) {
            // Those behind it go on before it is recorded: after a crash in between it is tried again, and may arrive
            // late.
            outOfOrder.add(id);
        }
        if (arrives && !isDelivered) {
            fault("arrived, but was reported as " + result);
        }
    }

    /** Watches one relay. */
    RelayListener listener() {
        Object relay = new Object();
        return new RelayListener() {
            @Override
            public void sweepFoundMissed(int lane, int rows) {
                missedBySweep += rows;
            }

            @Override
            public void failed(Attempt attempt, DeliveryResult.Failed failure, Duration took) {
                String id = attempt.message().id().toString();
                expect(attempt.number() <= countedFailures.getOrDefault(id, 0), "has an attempt counted too much", id);
            }

            @Override
            public void paused(String destination) {
                note(Happening.PAUSE);
            }

            @Override
            public void outage(String destination, String reason, Duration retryIn) {
                note(Happening.OUTAGE);
            }

            @Override
            public void slow(String destination, int rows) {
                note(Happening.SLOW_DESTINATION);
            }

            @Override
            public void held(Attempt attempt, Duration delay) {
                note(Happening.HELD_MESSAGE);
            }

            @Override
            public void laneTaken(int lane, long epoch) {
                if (owners.put(lane, relay) != null) {
                    fault("take-over");
                    note(Happening.TAKE_OVER);
                }
            }

            @Override
            public void laneReleased(int lane) {
                owners.remove(lane, relay);
            }
        };
    }

    /** Not asserted at once: a relay goes on whatever its listener or destination throws. */
    private void expect(boolean condition, String otherwise, String id) {
        if (!condition) {
            violations.add(id + " " + otherwise + ", after " + history.size() + " events");
        }
    }

    /** Remembers which dead letters operators want to be retried: their order is not promised. */
    void noteRetries() {
        deadLetters().stream()
                .filter(DeadLetter::retryRequested)
                .forEach(letter -> outOfOrder.add(letter.message().id().toString()));
    }

    private List<DeadLetter> deadLetters() {
        return store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10_000);
    }

    private Set<String> dead() {
        return deadLetters().stream()
                .map(letter -> letter.message().id().toString())
                .collect(Collectors.toSet());
    }

    private Set<String> arrived() {
        return broker.arrived().stream().map(message -> message.id().toString()).collect(Collectors.toSet());
    }

    /** Nothing for this destination waits, though others may be down. */
    boolean hasAllOf(String destination) {
        Set<String> done = arrived();
        done.addAll(dead());
        return writers.committed().values().stream()
                .filter(message -> message.destination().equals(destination))
                .allMatch(message -> done.contains(message.id()));
    }

    void check(int window) {
        noteRetries();
        Set<String> lost = new HashSet<>(writers.committed().keySet());
        lost.removeAll(arrived());
        // One that an operator retried must have arrived, or be a dead letter again.
        lost.removeAll(dead());
        assertThat(lost).as("lost; %s", history).isEmpty();
        Set<String> phantoms = arrived();
        phantoms.retainAll(writers.rolledBack());
        assertThat(phantoms).as("phantoms; %s", history).isEmpty();
        assertThat(violations).as("violations; %s", history).isEmpty();
        assertThat(missedBySweep).as("missed by the scan; %s", history).isZero();
        assertThat(duplicates)
                .as("duplicates after %d faults; %s", faults, history)
                .isLessThanOrEqualTo(faults * window);
        if (ordering != Ordering.NONE) {
            checkOrder();
        }
    }

    private void checkOrder() {
        Map<List<String>, Integer> last = new HashMap<>();
        Set<String> seen = new HashSet<>();
        for (OutboxMessage message : broker.arrived()) {
            Message sent = writers.committed().get(message.id().toString());
            if (seen.add(sent.id()) && !sent.key().isEmpty() && !outOfOrder.contains(sent.id())) {
                Integer before = last.put(List.of(sent.destination(), sent.key()), sent.n());
                assertThat(sent.n())
                        .as("order of %s at %s; %s", sent.key(), sent.destination(), history)
                        .isGreaterThan(before == null ? 0 : before);
            }
        }
    }
}
