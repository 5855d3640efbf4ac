package dev.postrider.prove.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.prove.check.Arrival;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContentTest {

    @Test
    void comesBackAsItWentOut() {
        assertThat(Content.arrival("id", Content.payload(Optional.of("key-1"), 7)))
                .isEqualTo(new Arrival("id", Optional.of("key-1"), 7));
        assertThat(Content.arrival("id", Content.payload(Optional.empty(), 0)))
                .isEqualTo(new Arrival("id", Optional.empty(), 0));
    }

    @Test
    void doesNotTakeSomebodyElsesMessageForOneOfOurs() {
        assertThat(Content.arrival("id", "{}".getBytes(UTF_8)).id()).isEqualTo("foreign:id");
        assertThat(Content.arrival("id", new byte[0]).id()).isEqualTo("foreign:id");
    }
}
