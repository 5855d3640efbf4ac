package dev.postrider.benchpeers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postrider.bench.measure.BenchException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeliveriesTest {

    private static final PeerMessages MESSAGES = new PeerMessages(64, 1);

    private final Deliveries deliveries = new Deliveries(MESSAGES, 3);

    @Test
    void endsWhenEachMessageHasArrived() throws Exception {
        arrive(2, 0, 1);

        deliveries.await(Duration.ofSeconds(30));

        assertThat(deliveries.distinct()).isEqualTo(3);
        assertThat(deliveries.repeats()).isZero();
    }

    @Test
    void countsARepeatedMessageOnceAndTellsIt() {
        arrive(0, 0, 1);

        assertThat(deliveries.distinct()).isEqualTo(2);
        assertThat(deliveries.repeats()).isEqualTo(1);
    }

    @Test
    void namesTheFirstMessageThatIsMissing() {
        arrive(0, 2, 2);

        assertThatExceptionOfType(BenchException.class)
                .isThrownBy(() -> deliveries.await(Duration.ofMillis(1)))
                .withMessage("1 of 3 messages have not arrived, the first is number 1");
    }

    @Test
    void refusesWhatNobodyHasSent() {
        String sent = payload(0);

        for (String damaged : List.of("", sent + "x", sent.substring(1), sent.substring(0, 63) + "!")) {
            assertThatIllegalArgumentException().isThrownBy(() -> deliveries.accept(damaged));
        }
    }

    private void arrive(int... numbers) {
        for (int number : numbers) {
            deliveries.accept(payload(number));
        }
    }

    private static String payload(int number) {
        return MESSAGES.range(number, number + 1).get(0).payload();
    }
}
