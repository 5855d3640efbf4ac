package dev.postrider.faults;

import dev.postrider.prove.write.KeyChoice;
import dev.postrider.prove.write.MessageForm;
import dev.postrider.prove.write.WriterPlan;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** What the writers of these tests do. Stateless. */
final class Plans {

    private static final int PAYLOAD_BYTES = 100;

    private Plans() {}

    static WriterPlan usual() {
        return plan(5, 40, Duration.ofMillis(15));
    }

    /** Much to write, so that there is always something on its way. */
    static WriterPlan busy() {
        return plan(5, 40, Duration.ofMillis(5));
    }

    /** Little to write for few keys: for tests in which many messages have to wait. */
    static WriterPlan fewKeys() {
        return plan(3, 12, Duration.ofMillis(60));
    }

    private static WriterPlan plan(int writers, int keys, Duration pace) {
        return new WriterPlan(
                writers,
                KeyChoice.upToThreeOf(IntStream.range(0, keys)
                        .mapToObj(number -> "key-" + number)
                        .toList()),
                List.of(Scene.TOPIC),
                pace,
                MessageForm.of((key, n) -> Wire.payload(n, PAYLOAD_BYTES)));
    }
}
