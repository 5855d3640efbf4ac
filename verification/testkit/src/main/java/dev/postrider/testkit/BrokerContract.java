package dev.postrider.testkit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * What every {@link dev.postrider.spi.Destination} must do that speaks to a broker over a network: all of
 * {@link DestinationContract}, and the right answer to cut and to slow connections, a stopped broker, wrong credentials, unknown topics and
 * messages that are too large.
 *
 * <pre>{@code
 * class MyDestinationIT extends BrokerContract {
 *     @Override
 *     protected BrokerFixture newFixture(BrokerFixture.Setup setup) {
 *         return new MyFixture(setup);
 *     }
 * }
 * }</pre>
 */
public abstract class BrokerContract
        implements DeliveryContract,
                CloseContract,
                RefusalContract,
                PlaceContract,
                CutContract,
                SlowContract,
                OutageContract,
                AccessContract {

    private final List<DestinationDriver> drivers = new ArrayList<>();
    private @Nullable BrokerFixture fixture;

    protected BrokerContract() {}

    /** A broker, and a way to open destinations for it and to see what arrived. */
    protected abstract BrokerFixture newFixture(BrokerFixture.Setup setup);

    @Override
    public final BrokerFixture broker() {
        if (fixture == null) {
            fixture = newFixture(BrokerFixture.Setup.SHARED);
        }
        return fixture;
    }

    @Override
    public final BrokerFixture ownBroker() {
        if (fixture != null) {
            throw new IllegalStateException("A test uses one broker");
        }
        fixture = newFixture(BrokerFixture.Setup.OWN);
        return fixture;
    }

    @Override
    public final DestinationDriver driver() {
        return drivers.isEmpty() ? driver(BrokerFixture.Access.PLAIN) : drivers.get(0);
    }

    @Override
    public final DestinationDriver driver(BrokerFixture.Access access) {
        DestinationDriver driver = new DestinationDriver(broker(), broker().open(access));
        drivers.add(driver);
        return driver;
    }

    @AfterEach
    final void closeDestinations() {
        drivers.forEach(driver -> driver.destination().close());
        if (fixture != null) {
            fixture.close();
        }
    }
}
