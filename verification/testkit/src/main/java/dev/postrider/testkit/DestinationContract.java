package dev.postrider.testkit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * What every {@link dev.postrider.spi.Destination} must do, in a process or over a network: one suite for all.
 *
 * <p>A destination's test is a subclass with a factory method, and beside it the quirks of its kind:
 *
 * <pre>{@code
 * class MyDestinationTest extends DestinationContract {
 *     @Override
 *     protected DestinationFixture newFixture() {
 *         return new MyFixture();
 *     }
 * }
 * }</pre>
 *
 * <p>A destination that speaks to a broker extends {@link BrokerContract}, which has more.
 */
public abstract class DestinationContract implements DeliveryContract, CloseContract {

    private @Nullable DestinationFixture fixture;
    private @Nullable DestinationDriver driver;

    protected DestinationContract() {}

    /** A way to open destinations and to see what arrived. */
    protected abstract DestinationFixture newFixture();

    @Override
    public final DestinationDriver driver() {
        if (driver == null) {
            fixture = newFixture();
            driver = new DestinationDriver(fixture, fixture.open());
        }
        return driver;
    }

    @AfterEach
    final void closeDestination() {
        if (driver != null && fixture != null) {
            driver.destination().close();
            fixture.close();
        }
    }
}
