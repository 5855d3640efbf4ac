package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.prove.check.Arrival;
import dev.postrider.prove.check.Committed;
import dev.postrider.prove.write.LedgerEntry;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What these tests add to the rules of a proof, which its own tests try. */
class ComparisonTest {

    private static final LedgerEntry FIRST = new LedgerEntry("a1", "topic", "a", 1);
    private static final LedgerEntry SECOND = new LedgerEntry("a2", "topic", "a", 2);

    @Test
    void missesNoDeadLettersButAllElse() {
        Comparison compared = new Comparison(List.of(FIRST, SECOND), List.of(), Set.of("a1"), Set.of("a1"));
        assertThat(compared.verdict().lost()).extracting(Committed::id).containsExactly("a2");
    }

    @Test
    void takesADeadLetterThatArrivedForNoPhantom() {
        Comparison compared = new Comparison(List.of(FIRST), List.of(delivery(FIRST)), Set.of("a1"), Set.of("a1"));
        assertThat(compared.verdict().holds()).isTrue();
    }

    @Test
    void asksForOrderWithinAKeyAndTopic() {
        LedgerEntry elsewhere = new LedgerEntry("t1", "other", "a", 1);
        Comparison compared = new Comparison(
                List.of(FIRST, SECOND, elsewhere),
                List.of(delivery(SECOND), delivery(elsewhere), delivery(FIRST)),
                Set.of(),
                Set.of());
        assertThat(compared.verdict().outOfOrder()).extracting(Arrival::id).containsExactly("a1");
    }

    @Test
    void asksForNoOrderOfRetriedDeadLetters() {
        Comparison compared = new Comparison(
                List.of(FIRST, SECOND), List.of(delivery(SECOND), delivery(FIRST)), Set.of(), Set.of("a1"));
        assertThat(compared.verdict().holds()).isTrue();
    }

    @Test
    void namesDuplicates() {
        Comparison compared =
                new Comparison(List.of(FIRST), List.of(delivery(FIRST), delivery(FIRST)), Set.of(), Set.of());
        assertThat(compared.verdict().holds()).isTrue();
        assertThat(compared.duplicates()).containsExactly(delivery(FIRST));
    }

    private static Delivery delivery(LedgerEntry message) {
        return new Delivery("relay", message.id(), message.topic(), message.key(), message.n(), 0);
    }
}
