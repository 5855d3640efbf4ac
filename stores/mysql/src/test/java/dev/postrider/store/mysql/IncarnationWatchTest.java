package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class IncarnationWatchTest {

    private long now = TimeUnit.HOURS.toNanos(1);
    private final IncarnationWatch watch = new IncarnationWatch(() -> now);

    @Test
    void firstAnswerIsNoChange() {
        assertThat(watch.mustAsk()).isTrue();
        assertThat(watch.isAnother(moment("a", 1000), now)).isFalse();
        assertThat(watch.current()).contains(new Incarnation("a", 1000));
    }

    @Test
    void noticesARestart() {
        watch.isAnother(moment("a", 1000), now);

        assertThat(watch.isAnother(moment("a", 1005), now)).isTrue();
        assertThat(watch.isAnother(moment("a", 1005), now)).isFalse();
    }

    @Test
    void toleratesASecondOfRounding() {
        watch.isAnother(moment("a", 1000), now);

        assertThat(watch.isAnother(moment("a", 1001), now)).isFalse();
        assertThat(watch.isAnother(moment("a", 999), now)).isFalse();
    }

    @Test
    void asksAgainAfterTheTimeInWhichAServerCouldRestart() {
        watch.isAnother(moment("a", 1000), now);
        now += TimeUnit.MILLISECONDS.toNanos(100);
        assertThat(watch.mustAsk()).isFalse();

        now++;
        assertThat(watch.mustAsk()).isTrue();
    }

    @Test
    void anAnswerWithoutStartTimeDoesNotPostponeTheQuestion() {
        watch.isAnother(moment("a", 1000), now);
        now += TimeUnit.MILLISECONDS.toNanos(90);
        assertThat(watch.isAnother(moment("a"), now)).isFalse();

        now += TimeUnit.MILLISECONDS.toNanos(20);
        assertThat(watch.mustAsk()).isTrue();
    }

    @Test
    void noticesAnotherServerAtOnceAndAsksSinceWhenItRuns() {
        watch.isAnother(moment("a", 1000), now);

        assertThat(watch.isAnother(moment("b"), now)).isTrue();
        assertThat(watch.mustAsk()).isTrue();
        assertThat(watch.isAnother(moment("b", 500), now)).isFalse();
    }

    private static ServerMoment moment(String server, long startedAt) {
        return new ServerMoment(server, OptionalLong.of(startedAt), Optional.empty(), false, Instant.EPOCH);
    }

    private static ServerMoment moment(String server) {
        return new ServerMoment(server, OptionalLong.empty(), Optional.empty(), false, Instant.EPOCH);
    }
}
