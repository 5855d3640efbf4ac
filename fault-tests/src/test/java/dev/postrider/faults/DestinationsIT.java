package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two destinations share all lanes and keys; one of them is paused or down. */
class DestinationsIT {

    private static final String MAILS = "mails";
    private static final String SMALL_HEAP = "48m";

    /** Larger than the heap. */
    private static final int BACKLOG = 30_000;

    private static final int BACKLOG_KEYS = 300;
    private static final int BACKLOG_PAYLOAD = 2_000;

    @ParameterizedTest
    @EnumSource(
            value = DatabaseUnderTest.class,
            names = {"MYSQL"})
    void lettersFlowWhileAnotherProcessHasPausedMails(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared())) {
            RecordingBroker mails = scene.startBroker();
            RelayProcess first = start(scene, "first", mails);
            RelayProcess second = start(scene, "second", mails);
            scene.awaitAllLanesOwnedBy(first, second);
            Writers writers = scene.startWriters(WriterPlan.usual().withTopics(Scene.TOPIC, MAILS));

            first.pause(MAILS);
            first.await(RelayEvent.PAUSED);
            second.await(RelayEvent.PAUSED);
            letTheOthersFlowPastABacklog(scene, mails);
            writers.stop();

            second.resume(MAILS);

            assertThat(scene.awaitDrained().requireExact()).as("duplicates").isEmpty();
            assertThat(first.isAlive() && second.isAlive()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DatabaseUnderTest.class,
            names = {"POSTGRES"})
    void lettersFlowWhileMailsAreDown(DatabaseUnderTest kind) {
        try (Scene scene = Scene.on(kind.shared())) {
            RecordingBroker mails = scene.startBroker();
            RelayProcess relay = start(scene, "only", mails);
            Writers writers = scene.startWriters(WriterPlan.usual().withTopics(Scene.TOPIC, MAILS));
            scene.awaitTraffic();

            mails.goDown();
            letTheOthersFlowPastABacklog(scene, mails);
            writers.stop();

            mails.comeBack();

            assertThat(scene.awaitDrained().requireExact())
                    .as("duplicates")
                    .allMatch(duplicate -> duplicate.topic().equals(MAILS));
            assertThat(relay.isAlive()).isTrue();
            assertThat(scene.tables().count("outbox_dead")).isZero();
        }
    }

    private static void letTheOthersFlowPastABacklog(Scene scene, RecordingBroker mails) {
        Set<String> backlog = scene.enqueueMany(MAILS, BACKLOG_PAYLOAD, BACKLOG, BACKLOG_KEYS);
        scene.awaitTraffic();
        assertThat(mails.deliveries()).noneMatch(delivery -> backlog.contains(delivery.key()));
    }

    private static RelayProcess start(Scene scene, String name, RecordingBroker mails) {
        RelaySettings settings = scene.settings(name)
                .lease(Duration.ofMinutes(1))
                .destination(MAILS, mails.port())
                .maxInFlightBytes(1 << 20);
        return scene.startRelay(settings, SMALL_HEAP, Map.of()).awaitStarted();
    }
}
