package dev.postrider.testkit;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.servers.TcpFaultProxy.Direction;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.testkit.BrokerFixture.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A connection that fails between the send and its acknowledgement: in doubt, but never wrong. */
interface CutContract extends BrokerPart {

    @Test
    default void endsASendWhoseAnswerDoesNotCome() {
        endsASendWhile(Direction.TO_CLIENT);
    }

    @Test
    default void endsASendThatDoesNotGetThrough() {
        endsASendWhile(Direction.TO_SERVER);
    }

    /** Whatever the first message becomes, it does not arrive as news behind the next of its key. */
    private void endsASendWhile(Direction held) {
        DestinationDriver driver = driver(Access.PROXY);
        OutboxMessage warmUp = driver.message("key");
        driver.deliverInTheEnd(List.of(warmUp));

        broker().proxy().hold(held);
        OutboxMessage inDoubt = driver.message("key");
        DeliveryResult result = driver.send(inDoubt);
        broker().proxy().heal();

        assertThat(result).isInstanceOfAny(DeliveryResult.Outage.class, DeliveryResult.Retry.class);
        List<OutboxMessage> later = driver.messages("key", 20);
        driver.deliverInTheEnd(later);
        List<OutboxMessage> inOrder = new ArrayList<>(List.of(warmUp, inDoubt));
        inOrder.addAll(later);
        assertThatDeliveries(driver.arrived(later.size() + 1))
                .lackNothingOf(later)
                .containNothingBut(inOrder)
                .keepTheOrderOf(inOrder);
    }

    /** A firewall that forgets connections: nothing arrives any more, and nobody is told. New connections work. */
    @Test
    default void usesANewConnectionWhenTheOldOneHasDiedSilently() {
        DestinationDriver driver = driver(Access.PROXY);
        driver.deliverInTheEnd(List.of(driver.message("key")));
        broker().proxy().connections().forEach(connection -> {
            connection.hold(Direction.TO_SERVER);
            connection.hold(Direction.TO_CLIENT);
        });

        List<OutboxMessage> later = driver.messages("key", 5);
        driver.deliverInTheEnd(later);

        assertThatDeliveries(driver.arrived(later.size() + 1)).lackNothingOf(later);
    }

    @Test
    default void tellsTheTruthAboutSendsWhoseConnectionWasReset() {
        DestinationDriver driver = driver(Access.PROXY);
        driver.deliverInTheEnd(List.of(driver.message("warm up")));
        List<OutboxMessage> messages = inFlight(driver);

        broker().proxy().hold(Direction.TO_CLIENT);
        List<CompletableFuture<DeliveryResult>> sendings = driver.beginAll(messages);
        broker().proxy().resetAll();
        broker().proxy().heal();

        List<OutboxMessage> delivered = DestinationDriver.delivered(messages, driver.awaitAll(sendings));
        driver.deliverInTheEnd(List.of(driver.message("works again")));
        assertThatDeliveries(driver.arrived(delivered.size() + 2)).lackNothingOf(delivered);
    }

    @Test
    default void keepsTheOrderOfAKeyOverManyResets() {
        DestinationDriver driver = driver(Access.PROXY);
        List<OutboxMessage> messages = driver.messages("key", 30);

        for (int i = 0; i < messages.size(); i++) {
            CompletableFuture<DeliveryResult> sending = driver.begin(messages.get(i));
            if (i % 3 == 0) {
                broker().proxy().resetAll();
            }
            if (!(driver.await(sending) instanceof DeliveryResult.Delivered)) {
                driver.deliverInTheEnd(List.of(messages.get(i)));
            }
        }

        assertThatDeliveries(driver.arrived(messages.size()))
                .lackNothingOf(messages)
                .keepTheOrderOf(messages);
    }

    @Test
    default void doesNotBlockWhoeverSendsWhileNothingIsAnswered() {
        DestinationDriver driver = driver(Access.PROXY);
        driver.deliverInTheEnd(List.of(driver.message("warm up")));
        broker().proxy().hold(Direction.TO_CLIENT);
        List<OutboxMessage> messages = inFlight(driver);

        long start = System.nanoTime();
        List<CompletableFuture<DeliveryResult>> sendings = driver.beginAll(messages);
        long sendingTook = System.nanoTime() - start;
        List<DeliveryResult> results = driver.awaitAll(sendings);
        broker().proxy().heal();

        assertThat(sendingTook)
                .isLessThan(driver.destination().deliveryTimeout().toNanos());
        assertThat(results).noneMatch(DeliveryResult.Delivered.class::isInstance);
        driver.deliverInTheEnd(List.of(driver.message("works again")));
    }

    private static List<OutboxMessage> inFlight(DestinationDriver driver) {
        int count = Math.min(driver.destination().maxInFlight(), 200);
        return IntStream.range(0, count)
                .mapToObj(i -> driver.message("key-" + i))
                .toList();
    }
}
