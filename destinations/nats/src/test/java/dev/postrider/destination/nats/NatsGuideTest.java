package dev.postrider.destination.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.Destination;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/** What stands between "snippet" and "end" stands in docs/guides/nats.md as well; SnippetsTest compares. */
class NatsGuideTest {

    private final String password = "secret";

    @Test
    void opensADestination() {
        // snippet: open
        Destination nats = NatsDestination.builder("nats")
                .servers("nats://nats-1.example:4222", "nats://nats-2.example:4222")
                .credentials("orders", password)
                .expectedStream("ORDERS")
                .build();
        // end
        assertThat(nats.name()).isEqualTo("nats");
        nats.close();
    }

    @Test
    void createsTheStream() {
        // snippet: stream
        Destination nats = NatsDestination.builder("nats")
                .createStream(StreamConfiguration.builder()
                        .name("ORDERS")
                        .subjects("orders.>")
                        .storageType(StorageType.File)
                        .replicas(3)
                        .duplicateWindow(Duration.ofMinutes(10))
                        .build())
                .build();
        // end
        nats.close();
    }

    @Test
    void encryptsAndUsesOtherCredentials() throws Exception {
        SSLContext context = SSLContext.getDefault();
        // snippet: access
        Destination nats = NatsDestination.builder("nats")
                .servers("nats://nats.example:4222")
                .tls(context)
                .customize(options -> options.credentialPath("/etc/orders/nats.creds"))
                .build();
        // end
        nats.close();
    }
}
