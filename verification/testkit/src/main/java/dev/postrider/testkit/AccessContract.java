package dev.postrider.testkit;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.Health;
import dev.postrider.testkit.BrokerFixture.Access;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Encryption and credentials. */
interface AccessContract extends BrokerPart {

    @Test
    default void deliversOverTls() {
        DestinationDriver driver = driver(Access.TLS);
        OutboxMessage sent = driver.message("key");

        driver.deliverInTheEnd(List.of(sent));

        driver.awaitHealth(Health.Up.class);
        assertThatDeliveries(driver.arrived(1)).lackNothingOf(List.of(sent)).containNothingBut(List.of(sent));
    }

    @Test
    default void doesNotSpeakToAServerThatItDoesNotTrust() {
        DestinationDriver driver = driver(Access.TLS_NOT_TRUSTED);

        DeliveryResult result = driver.send(driver.message("key"));

        assertThat(result).isInstanceOf(DeliveryResult.Outage.class);
        assertThat(((Failed) result).reason()).containsPattern("(?i)tls|ssl|certificate");
        assertThat(driver.destination().healthCheck()).isInstanceOf(Health.Down.class);
    }

    @Test
    default void reportsRefusedCredentialsAsAnOutageThatSomebodyCanEnd() {
        DestinationDriver driver = driver(Access.WRONG_PASSWORD);

        DeliveryResult result = driver.send(driver.message("key"));
        Health health = driver.destination().healthCheck();

        assertThat(result).isInstanceOf(DeliveryResult.Outage.class);
        assertThat(((Failed) result).reason())
                .containsPattern("(?i)credential|password|authenticat|access")
                .doesNotContain(BrokerFixture.WRONG_PASSWORD);
        assertThat(health).isInstanceOf(Health.Down.class);
        assertThat(((Health.Down) health).reason()).doesNotContain(BrokerFixture.WRONG_PASSWORD);
    }
}
