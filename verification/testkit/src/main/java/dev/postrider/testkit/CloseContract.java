package dev.postrider.testkit;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Health;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A closed destination has said how everything ended. */
interface CloseContract extends DestinationPart {

    @Test
    default void endsWhatIsInFlightWhenItCloses() {
        int count = Math.min(driver().destination().maxInFlight(), 100);
        List<OutboxMessage> messages = IntStream.range(0, count)
                .mapToObj(i -> driver().message("key-" + i))
                .toList();
        List<CompletableFuture<DeliveryResult>> sendings = driver().beginAll(messages);

        driver().destination().close();

        List<OutboxMessage> delivered = DestinationDriver.delivered(messages, driver().awaitAll(sendings));
        assertThatDeliveries(driver().arrived(delivered.size())).lackNothingOf(delivered);
    }

    @Test
    default void deliversNothingAfterItWasClosed() {
        OutboxMessage before = driver().message("before");
        driver().deliver(before);

        driver().destination().close();

        assertThat(driver().send(driver().message("after"))).isInstanceOf(DeliveryResult.Failed.class);
        assertThat(driver().destination().healthCheck()).isInstanceOf(Health.Down.class);
        assertThatDeliveries(driver().arrived(1)).containNothingBut(List.of(before));
    }

    @Test
    default void closesWhenItsThreadIsInterruptedToo() {
        driver().deliver(driver().message("before"));

        Thread.currentThread().interrupt();
        driver().destination().close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(driver().send(driver().message("after"))).isInstanceOf(DeliveryResult.Failed.class);
    }

    @Test
    default void closesTwiceAsWellAsOnce() {
        driver().destination().close();
        driver().destination().close();
    }
}
