package dev.postrider.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.service.Readiness.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReadinessTest {

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile CountDownLatch answers = new CountDownLatch(0);

    private final Readiness readiness =
            new Readiness(List.of(new Subject("orders", this::problem, List::of)), now::get);

    private Optional<String> problem() {
        asked.incrementAndGet();
        try {
            answers.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
        return Optional.empty();
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private Optional<String> answer() {
        return readiness.problems().get("orders");
    }

    @Test
    void asksOnceASecond() {
        assertThat(answer()).isEmpty();
        pass(Duration.ofMillis(900));
        assertThat(answer()).isEmpty();
        assertThat(asked).hasValue(1);

        pass(Duration.ofMillis(200));
        assertThat(answer()).isEmpty();
        assertThat(asked).hasValue(2);
    }

    @Test
    void answersWhileADatabaseDoesNot() {
        assertThat(answer()).isEmpty();
        answers = new CountDownLatch(1);

        pass(Duration.ofSeconds(2));
        assertThat(answer()).as("what was true just now").isEmpty();
        pass(Duration.ofSeconds(4));
        assertThat(answer()).contains("the database does not answer");
        assertThat(asked).as("one at a time").hasValue(2);

        answers.countDown();
        while (answer().isPresent()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void isNotReadyBeforeTheFirstAnswer() {
        answers = new CountDownLatch(1);
        assertThat(answer()).contains("the database does not answer");
        answers.countDown();
    }
}
