package dev.postrider.testkit;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Health;
import dev.postrider.testkit.BrokerFixture.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A broker that cannot be reached is an outage, and when it is back the destination finds it by itself. */
interface OutageContract extends BrokerPart {

    @Test
    default void reportsAnOutageWhileTheBrokerIsStoppedAndRecoversByItself() {
        ownBroker();
        DestinationDriver driver = driver();
        OutboxMessage before = driver.message("key");
        driver.deliverInTheEnd(List.of(before));

        broker().stopBroker();
        assertThat(driver.send(driver.message("lost key"))).isInstanceOf(DeliveryResult.Outage.class);
        driver.awaitHealth(Health.Down.class);

        broker().startBroker();
        driver.awaitHealth(Health.Up.class);
        OutboxMessage after = driver.message("key");
        driver.deliverInTheEnd(List.of(after));
        assertThatDeliveries(driver.arrived(2)).lackNothingOf(List.of(before, after));
    }

    @Test
    default void losesNothingThatItAcknowledgedWhenTheBrokerIsKilled() {
        ownBroker();
        DestinationDriver driver = driver();
        driver.deliverInTheEnd(List.of(driver.message("warm up")));
        broker().keepTopics();
        int count = Math.min(driver.destination().maxInFlight(), 100);
        List<OutboxMessage> messages = new ArrayList<>(IntStream.range(0, count)
                .mapToObj(i -> driver.message("key-" + i))
                .toList());

        List<CompletableFuture<DeliveryResult>> sendings = driver.beginAll(messages);
        broker().killBroker();
        List<OutboxMessage> delivered = DestinationDriver.delivered(messages, driver.awaitAll(sendings));
        broker().startBroker();

        OutboxMessage last = driver.message("last");
        driver.deliverInTheEnd(List.of(last));
        delivered.add(last);
        assertThatDeliveries(driver.arrived(delivered.size() + 1)).lackNothingOf(delivered);
    }

    @Test
    default void opensAlsoWhenTheBrokerCannotBeReached() {
        broker().proxy().refuse();
        DestinationDriver driver = driver(Access.PROXY);

        assertThat(driver.send(driver.message("key"))).isInstanceOf(DeliveryResult.Outage.class);
        assertThat(driver.destination().healthCheck()).isInstanceOf(Health.Down.class);

        broker().proxy().heal();
        driver.awaitHealth(Health.Up.class);
        driver.deliverInTheEnd(List.of(driver.message("key")));
    }
}
