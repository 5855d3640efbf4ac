package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each kind of fault is planted once and must be found. */
class OracleTest {

    private final List<Sent> committed = new ArrayList<>();
    private final List<Delivery> delivered = new ArrayList<>();

    @Test
    void findsNothingWhereAllIsWell() {
        commit("a1", "a", 1).commit("b1", "b", 1).commit("a2", "a", 2);
        deliver("b1", "b", 1).deliver("a1", "a", 1).deliver("a2", "a", 2);
        assertThat(judge()).isEqualTo(new Verdict(List.of(), List.of(), List.of(), List.of(), List.of()));
    }

    @Test
    void findsWhatIsLost() {
        commit("a1", "a", 1).commit("a2", "a", 2);
        deliver("a2", "a", 2);
        assertThat(judge().lost()).extracting(Sent::id).containsExactly("a1");
    }

    @Test
    void doesNotMissDeadLetters() {
        commit("a1", "a", 1);
        assertThat(judge(Set.of("a1"), Set.of(), List.of()).lost()).isEmpty();
    }

    @Test
    void findsPhantoms() {
        deliver("a1", "a", 1);
        assertThat(judge().phantoms()).extracting(Delivery::id).containsExactly("a1");
    }

    @Test
    void findsDuplicatesWhichBreakNoOrder() {
        commit("a1", "a", 1).commit("a2", "a", 2);
        deliver("a1", "a", 1).deliver("a2", "a", 2).deliver("a1", "a", 1).deliver("a2", "a", 2);
        assertThat(judge().duplicates()).extracting(Delivery::id).containsExactly("a1", "a2");
        assertThat(judge().outOfOrder()).isEmpty();
    }

    @Test
    void findsFirstDeliveriesOutOfOrder() {
        commit("a1", "a", 1).commit("a2", "a", 2).commit("a3", "a", 3);
        deliver("a1", "a", 1).deliver("a3", "a", 3).deliver("a2", "a", 2);
        assertThat(judge().outOfOrder()).extracting(found -> found.late().id()).containsExactly("a2");
    }

    @Test
    void expectsNoOrderAmongKeysTopicsOrWithoutKey() {
        commit("a2", "a", 2).commit("b1", "b", 1).commit("x", "", 0).commit("y", "", 0);
        committed.add(new Sent("t1", "other", "a", 1));
        deliver("a2", "a", 2).deliver("b1", "b", 1).deliver("x", "", 0).deliver("y", "", 0);
        delivered.add(new Delivery("relay", "t1", "other", "a", 1, 0));
        assertThat(judge().outOfOrder()).isEmpty();
    }

    @Test
    void expectsNoOrderOfRetriedDeadLetters() {
        commit("a1", "a", 1).commit("a2", "a", 2).commit("a3", "a", 3);
        deliver("a2", "a", 2).deliver("a1", "a", 1).deliver("a3", "a", 3);
        assertThat(judge(Set.of(), Set.of("a1"), List.of()).outOfOrder()).isEmpty();
    }

    @Test
    void findsStuckKeys() {
        assertThat(judge(Set.of(), Set.of(), List.of("a")).stuck()).containsExactly("a");
    }

    private OracleTest commit(String id, String key, long n) {
        committed.add(new Sent(id, "topic", key, n));
        return this;
    }

    private OracleTest deliver(String id, String key, long n) {
        delivered.add(new Delivery("relay", id, "topic", key, n, 0));
        return this;
    }

    private Verdict judge() {
        return judge(Set.of(), Set.of(), List.of());
    }

    private Verdict judge(Set<String> dead, Set<String> retried, List<String> left) {
        return Oracle.judge(new Evidence(committed, delivered, dead, retried, left));
    }
}
