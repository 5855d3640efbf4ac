package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.FaultInjector;
import dev.postrider.testkit.FaultInjector.Fault;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A relay that asks its store for something again and again, in vain, says so. */
class RepeatedFailuresTest {

    private static final Duration LEASE = Duration.ofSeconds(20);

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(1, clock);
    private final RelayCore relay = new RelayBuilder(store, DestinationRouter.to(new RecordingDestination("broker")))
            .workers(1)
            .nanoTime(clock::nanoTime)
            .buildCore(new RelayListener() {});

    @ParameterizedTest
    @CsvSource({"scan.fetch, fetch", "delayed.release, release delayed messages", "held.fetchDue, read held messages"})
    void isInTroubleWhenAnOperationFailsForLongerThanALease(String operation, String words) {
        relay.keeper().step();
        pass(LEASE);
        assertThat(relay.trouble()).isEmpty();

        store.injectFaults(each -> each.equals(operation) ? Fault.BEFORE : Fault.NONE);
        pass(LEASE.dividedBy(2));
        assertThat(relay.trouble()).isEmpty();
        pass(LEASE);
        assertThat(relay.trouble()).hasValueSatisfying(text -> assertThat(text).contains("failed to " + words));

        store.injectFaults(FaultInjector.none());
        pass(LEASE);
        assertThat(relay.trouble()).isEmpty();
    }

    private void pass(Duration time) {
        long end = clock.nanoTime() + time.toNanos();
        while (clock.nanoTime() - end < 0) {
            relay.workers().get(0).step();
            clock.advance(Duration.ofMillis(100));
        }
    }
}
