package dev.postrider.prove.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Plants what must never happen into evidence that is otherwise good. */
class VerdictTest {

    private final List<Committed> committed = new ArrayList<>();
    private final List<Arrival> arrivals = new ArrayList<>();

    VerdictTest() {
        for (long n = 1; n <= 3; n++) {
            deliver("a-" + n, "a", n);
            deliver("b-" + n, "b", n);
        }
    }

    private void deliver(String id, String key, long n) {
        committed.add(new Committed(id, Optional.of(key), n));
        arrivals.add(new Arrival(id, Optional.of(key), n));
    }

    private Verdict verdict(String... undelivered) {
        return Verdict.of(new Evidence(committed, arrivals, Set.of(undelivered)));
    }

    @Test
    void holdsWhenEverythingArrivedInOrder() {
        assertThat(verdict().holds()).isTrue();
        assertThat(verdict().delivered()).isEqualTo(6);
    }

    @Test
    void allowsDuplicates() {
        arrivals.add(arrivals.get(0));
        arrivals.add(arrivals.get(2));
        assertThat(verdict().holds()).isTrue();
        assertThat(verdict().duplicates()).isEqualTo(2);
    }

    @Test
    void seesALostMessage() {
        arrivals.removeIf(arrival -> arrival.id().equals("a-2"));
        assertThat(verdict().holds()).isFalse();
        assertThat(verdict().lost()).extracting(Committed::id).containsExactly("a-2");
    }

    @Test
    void missesNoDeadLetter() {
        arrivals.removeIf(arrival -> arrival.id().equals("a-2"));
        assertThat(verdictWithDead("a-2").holds()).isTrue();
        assertThat(verdictWithDead("a-2").delivered()).isEqualTo(5);
    }

    @Test
    void countsADeadLetterThatHadArrivedAsDelivered() {
        assertThat(verdictWithDead("a-2").committed()).isEqualTo(6);
        assertThat(verdictWithDead("a-2").delivered()).isEqualTo(6);
    }

    private Verdict verdictWithDead(String id) {
        return Verdict.of(new Evidence(committed, arrivals, Set.of()).withoutDead(Set.of(id)));
    }

    @Test
    void seesAStuckKeyAndDoesNotCallItLost() {
        arrivals.removeIf(arrival -> arrival.id().equals("b-3"));
        assertThat(verdict("b-3").holds()).isFalse();
        assertThat(verdict("b-3").lost()).isEmpty();
        assertThat(verdict("b-3").stuckKeys()).containsExactly("b");
    }

    @Test
    void seesAPhantom() {
        arrivals.add(new Arrival("rolled-back", Optional.of("a"), 4));
        assertThat(verdict().holds()).isFalse();
        assertThat(verdict().phantoms()).extracting(Arrival::id).containsExactly("rolled-back");
    }

    @Test
    void seesTwoMessagesInTheWrongOrder() {
        Arrival late = arrivals.remove(2);
        arrivals.add(late);
        assertThat(verdict().holds()).isFalse();
        assertThat(verdict().outOfOrder()).containsExactly(late);
    }

    @Test
    void asksNoOrderOfMessagesWithoutKey() {
        for (String id : List.of("x", "y")) {
            committed.add(new Committed(id, Optional.empty(), 0));
            arrivals.add(0, new Arrival(id, Optional.empty(), 0));
        }
        assertThat(verdict().holds()).isTrue();
    }

    @Test
    void asksNoOrderBetweenKeys() {
        arrivals.sort((one, other) -> other.key().orElse("").compareTo(one.key().orElse("")));
        assertThat(verdict().holds()).isTrue();
    }

    /** A rolled-back number is given again, to a message with another id. */
    @Test
    void takesARolledBackMessageForAPhantomAlsoWhenItsNumberWasGivenAgain() {
        arrivals.add(3, new Arrival("rolled-back", Optional.of("a"), 2));
        assertThat(verdict().phantoms()).hasSize(1);
    }
}
