package dev.postrider.testkit;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.OutboxMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeliveryAssertTest {

    private final OutboxMessage first = StoreDriver.message("a");
    private final OutboxMessage second = StoreDriver.message("a");
    private final OutboxMessage other = StoreDriver.message("b");
    private final List<OutboxMessage> committed = List.of(first, second, other);

    @Test
    void acceptsDeliveriesInAnyOrderOfDifferentKeys() {
        assertThatDeliveries(List.of(other, first, second))
                .lackNothingOf(committed)
                .containNothingBut(committed)
                .keepTheOrderOf(committed)
                .haveNoDuplicates();
    }

    @Test
    void acceptsARepeatedEarlierDelivery() {
        assertThatDeliveries(List.of(first, second, first, other))
                .keepTheOrderOf(committed)
                .haveAtMostDuplicates(1);
    }

    @Test
    void refusesALostMessage() {
        assertThatThrownBy(() -> assertThatDeliveries(List.of(first, other)).lackNothingOf(committed))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(second.id().toString());
    }

    @Test
    void refusesAMessageThatWasNeverCommitted() {
        assertThatThrownBy(() -> assertThatDeliveries(List.of(first, other)).containNothingBut(List.of(first)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(other.id().toString());
    }

    @Test
    void refusesABrokenOrderOfFirstDeliveries() {
        assertThatThrownBy(() ->
                        assertThatDeliveries(List.of(second, first, second)).keepTheOrderOf(committed))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Key a");
    }

    @Test
    void refusesMoreDuplicatesThanAllowed() {
        assertThatThrownBy(
                        () -> assertThatDeliveries(List.of(first, first, first)).haveAtMostDuplicates(1))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("2 deliveries");
    }
}
