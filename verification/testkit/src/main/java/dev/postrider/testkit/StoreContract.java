package dev.postrider.testkit;

import dev.postrider.message.MessageLimits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * What every {@link dev.postrider.spi.OutboxStore} must do: one suite for all.
 *
 * <p>A store's test is a subclass with a factory method, and beside it the quirks of its database:
 *
 * <pre>{@code
 * class MyStoreIT extends StoreContract {
 *     @Override
 *     protected StoreFixture newFixture(StoreFixture.Setup setup) {
 *         return new MyFixture(setup);
 *     }
 * }
 * }</pre>
 *
 * <p>The parts are interfaces of their own, one for each port.
 */
public abstract class StoreContract
        implements InsertContract,
                DedupContract,
                LeaseContract,
                ScanContract,
                ScanRequestContract,
                ForeignRowContract,
                ForeignIdContract,
                SettleContract,
                FenceContract,
                HeldContract,
                HeldReadContract,
                HeldLineContract,
                HeldPlaceContract,
                BlockContract,
                HeldHeadContract,
                RetryContract,
                DelayedContract,
                DeadLetterContract,
                OverviewContract,
                MaintenanceContract,
                RelayContract,
                GlobalOrderContract,
                BadInputContract {

    private static final int LANES = 4;

    private @Nullable StoreFixture fixture;
    private @Nullable StoreDriver driver;

    protected StoreContract() {}

    /** A store with empty tables of this kind. */
    protected abstract StoreFixture newFixture(StoreFixture.Setup setup);

    @Override
    public final StoreDriver driver() {
        return driver != null ? driver : open(new StoreFixture.Setup(LANES, MessageLimits.defaults(), false));
    }

    @Override
    public final StoreDriver driver(StoreFixture.Setup setup) {
        return open(setup);
    }

    private StoreDriver open(StoreFixture.Setup setup) {
        if (fixture != null) {
            throw new IllegalStateException("A test uses one store");
        }
        fixture = newFixture(setup);
        driver = new StoreDriver(fixture);
        return driver;
    }

    @AfterEach
    final void closeFixture() {
        if (fixture != null) {
            fixture.close();
        }
    }
}
