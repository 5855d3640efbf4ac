package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.store.jdbc.AuditTrail;
import org.junit.jupiter.api.Test;

/** From four lanes to eight. */
class LanesCommandTest {

    private final TestOutbox outbox = new TestOutbox(AuditTrail.PLAIN);
    private final Shell shell = new Shell()
            .set("POSTRIDER_URL", outbox.url())
            .set("POSTRIDER_TO_PREFIX", "outbox2")
            .set("POSTRIDER_INTERVAL", "1ms")
            .set("POSTRIDER_DESTINATION", "test");

    @Test
    void plansCreatesAndSwitchesWhenTheOldOutboxIsEmpty() {
        outbox.write("orders", 3);
        assertThat(shell.run("lanes", "plan", "--lanes", "8")).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains(
                        "has 4 lanes; undelivered 3",
                        "outbox2 does not exist yet",
                        "lanes create --to-prefix outbox2 --lanes 8");

        assertThat(shell.run("lanes", "create", "--lanes", "8")).as(shell.err()).isZero();
        assertThat(shell.out()).contains("outbox2: created (8 lanes), paused: test");
        assertThat(shell.run("schema", "verify", "--prefix", "outbox2")).isZero();
        assertThat(shell.out()).contains("8 lanes, payload binary, audit plain");

        assertThat(shell.run("lanes", "switch", "--wait", "50ms", "--quiet", "10ms"))
                .isEqualTo(1);
        assertThat(shell.err()).contains("3 messages left", "did not become empty", "nothing was changed");
        assertThat(pauses()).contains("\"paused\":[\"test\"]");

        outbox.deliverAll();
        assertThat(shell.run("lanes", "switch", "--quiet", "10ms"))
                .as(shell.err())
                .isZero();
        assertThat(shell.out()).contains("outbox2 delivers now, from 8 lanes");
        assertThat(pauses()).contains("\"paused\":[]");
    }

    private String pauses() {
        assertThat(shell.run("status", "--prefix", "outbox2", "--output", "json"))
                .isZero();
        return shell.out();
    }

    @Test
    void pausesNothingInAnOutboxThatIsInUse() {
        assertThat(shell.run("schema", "apply", "--prefix", "outbox2", "--lanes", "8"))
                .isZero();
        assertThat(shell.run("lanes", "create", "--lanes", "8")).as(shell.err()).isZero();
        assertThat(shell.out()).contains("exists already (8 lanes), paused: nothing");
        assertThat(shell.run("lanes", "plan", "--lanes", "16")).as("it has 8").isEqualTo(1);
        assertThat(shell.run("lanes", "create", "--lanes", "16")).isEqualTo(1);
        assertThat(shell.err()).contains("lane").doesNotContain("\tat ");
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThat(shell.run("lanes", "plan", "--lanes", "0")).isEqualTo(2);
        assertThat(shell.run("lanes", "plan", "--lanes", "8", "--to-prefix", "outbox"))
                .isEqualTo(2);
        assertThat(shell.err()).contains("the prefix of the outbox itself");
        assertThat(shell.run("lanes", "create", "--lanes", "8", "--to-prefix", "a\"b"))
                .isEqualTo(2);
        assertThat(new Shell()
                        .set("POSTRIDER_URL", outbox.url())
                        .run("lanes", "create", "--lanes", "8", "--to-prefix", "x"))
                .as("no destination is known")
                .isEqualTo(2);
        assertThat(shell.run("lanes", "switch")).as("there is no new outbox").isEqualTo(1);
    }
}
