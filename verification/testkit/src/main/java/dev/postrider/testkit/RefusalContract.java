package dev.postrider.testkit;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.DeliveryResult.Unavailable;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A message that cannot be delivered is told apart from a destination that cannot be reached. */
interface RefusalContract extends BrokerPart {

    @Test
    default void rejectsAMessageThatIsTooLargeAndTakesTheNext() {
        DestinationDriver driver = driver();
        OutboxMessage tooLarge =
                driver.message().payload(new byte[broker().tooManyBytes()]).build();
        OutboxMessage next = driver.message("next");

        DeliveryResult result = driver.send(tooLarge);
        driver.deliver(next);

        assertThat(result).isInstanceOf(DeliveryResult.Reject.class);
        assertThat(((Failed) result).reason()).containsPattern("[0-9]").containsIgnoringCase("large");
        assertThatDeliveries(driver.arrived(1)).containNothingBut(List.of(next));
    }

    @Test
    default void namesThePlaceThatIsMissingAndLetsOthersFlow() {
        DestinationDriver driver = driver();
        for (String topic : broker().topicsThatLeadNowhere()) {
            DeliveryResult result =
                    driver.send(OutboxMessage.builder(topic).type("t").key("k").build());

            assertThat(result)
                    .as(topic)
                    .isInstanceOfSatisfying(
                            Unavailable.class,
                            place -> assertThat(place.place()).contains(topic));
            assertThat(((Failed) result).reason()).contains(topic);
            driver.deliver(driver.message("others flow"));
        }
    }
}
