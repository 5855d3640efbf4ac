package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.prove.write.Writers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two destinations share all lanes and keys; one of them is down, and then paused. */
class DestinationsIT {

    private static final String MAILS = "mails";
    private static final String SMALL_HEAP = "48m";

    /** Larger than the heap. */
    private static final int BACKLOG = 6_000;

    private static final int BACKLOG_KEYS = 300;
    private static final int BACKLOG_PAYLOAD = 10_000;

    @ParameterizedTest
    @EnumSource(
            value = DatabaseUnderTest.class,
            names = {"POSTGRES", "MYSQL"})
    void lettersFlowWhileMailsAreDownAndWhileAnotherProcessHasPausedThem(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared())) {
            RecordingBroker mails = scene.startBroker();
            RelayProcess first = start(scene, "first", mails);
            RelayProcess second = start(scene, "second", mails);
            scene.awaitAllLanesOwnedBy(first, second);
            Writers writers = scene.startWriters(Plans.usual().withTopics(Scene.TOPIC, MAILS));
            scene.awaitTraffic();

            mails.goDown();
            Set<String> backlog = scene.enqueueMany(MAILS, BACKLOG_PAYLOAD, BACKLOG, BACKLOG_KEYS);
            scene.awaitTraffic();

            first.pause(MAILS);
            first.await(RelayEvent.PAUSED);
            second.await(RelayEvent.PAUSED);
            mails.comeBack();
            scene.awaitTraffic();
            assertThat(mails.deliveries()).noneMatch(delivery -> backlog.contains(delivery.key()));
            writers.stop();

            second.resume(MAILS);

            assertThat(scene.awaitDrained().requireExact())
                    .as("duplicates of what was not in flight when mails went down")
                    .allMatch(duplicate -> duplicate.topic().equals(MAILS) && !backlog.contains(duplicate.key()));
            assertThat(first.isAlive() && second.isAlive()).isTrue();
            assertThat(scene.tables().count("outbox_dead")).isZero();
        }
    }

    private static RelayProcess start(Scene scene, String name, RecordingBroker mails) {
        RelaySettings settings = scene.settings(name)
                .lease(Duration.ofMinutes(1))
                .destination(MAILS, mails.port())
                .maxInFlightBytes(1 << 20);
        return scene.startRelay(settings, SMALL_HEAP, Map.of()).awaitStarted();
    }
}
