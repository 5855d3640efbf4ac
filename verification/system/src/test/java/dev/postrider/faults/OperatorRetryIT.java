package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.prove.write.Writers;
import dev.postrider.spi.DeadLetterFilter;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many messages are rejected or asked to come again, and an operator retries the rejected ones while others of their keys are in
 * flight, held or just arriving.
 */
class OperatorRetryIT {

    /** Long enough that a busy machine brings about no duplicates by itself. */
    private static final Duration LEASE = Duration.ofMinutes(2);

    @ParameterizedTest
    @EnumSource(DatabaseUnderTest.class)
    void keepsTheOrderOfEverythingElseAndLeavesNoKeyStuck(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared())) {
            Set<String> refusedBefore = ConcurrentHashMap.newKeySet();
            scene.broker().answer(delivery -> refuseOnce(delivery, refusedBefore));
            scene.startRelay(scene.settings("first").lease(LEASE)).awaitStarted();
            scene.startRelay(scene.settings("second").lease(LEASE)).awaitStarted();
            Writers writers = scene.startWriters(Plans.fewKeys());

            for (int i = 0; i < 4; i++) {
                int arrived = scene.broker().count();
                Eventually.holds("more has arrived while dead letters were retried", () -> {
                    retryDeadLetters(scene);
                    return scene.broker().count() > arrived + 100;
                });
            }
            writers.stop();
            Eventually.holds("all were retried", () -> {
                retryDeadLetters(scene);
                return isDone(scene);
            });

            assertThat(scene.requireExact()).as("duplicates").isEmpty();
        }
    }

    /** Dead letters before and after: one that is put back meanwhile would be found in neither place. */
    private static boolean isDone(Scene scene) {
        return hasNoDead(scene) && scene.tables().isDrained() && hasNoDead(scene);
    }

    private static boolean hasNoDead(Scene scene) {
        return scene.tables().count("outbox_dead") == 0;
    }

    /** Every seventh message is rejected, and every fifth has to come again. */
    private static Answer refuseOnce(Delivery delivery, Set<String> refusedBefore) {
        boolean isRejected = delivery.n() % 7 == 3;
        boolean isRetried = delivery.n() % 5 == 2;
        if ((isRejected || isRetried) && refusedBefore.add(delivery.id())) {
            return isRejected ? Answer.REJECT : Answer.RETRY;
        }
        return Answer.ACKNOWLEDGE;
    }

    private static void retryDeadLetters(Scene scene) {
        for (String id : scene.noteDead()) {
            scene.store().deadLetters().requestRetry(DeadLetterFilter.byId(MessageId.of(id)), 1, "operator");
        }
    }
}
