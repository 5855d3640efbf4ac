package dev.postrider.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.cli.demo.OrderStep.Mishap;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OrderScriptTest {

    private static final int ORDERS = 10_000;

    private final List<List<OrderStep>> orders = IntStream.range(0, ORDERS)
            .mapToObj(new OrderScript(ORDERS)::stepsOf)
            .toList();
    private final List<OrderStep> steps = orders.stream().flatMap(List::stream).toList();

    @Test
    void givesEachOrderOneToThreeEventsAndSomeOrdersSeveralTransactions() {
        assertThat(orders).allSatisfy(order -> {
            assertThat(order.stream().mapToInt(step -> step.types().size()).sum())
                    .isBetween(1, 3);
            assertThat(order.stream().filter(OrderStep::isFirst)).containsExactly(order.get(0));
        });
        assertThat(orders).extracting(List::size).contains(1, 2, 3);
    }

    @Test
    void knowsHowManyEventsThereAre() {
        assertThat(new OrderScript(ORDERS).eventCount())
                .isEqualTo(steps.stream().mapToInt(step -> step.types().size()).sum());
    }

    @Test
    void rollsBackAtMostATenthOfTheTransactions() {
        long rolledBack = count(Mishap.ROLLBACK);

        assertThat(rolledBack).isPositive().isLessThan((steps.size() + rolledBack) / 10);
        assertThat(count(Mishap.SAVEPOINT_ROLLBACK)).isPositive();
    }

    @Test
    void makesOneEventPoison() {
        assertThat(steps.stream().filter(OrderStep::isPoison)).hasSize(1);
        assertThat(new OrderScript(1).stepsOf(0).get(0).isPoison()).isTrue();
    }

    private long count(Mishap mishap) {
        return steps.stream().filter(step -> step.mishap() == mishap).count();
    }
}
