package dev.postrider.cli.demo;

import dev.postrider.cli.demo.OrderStep.Mishap;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** What happens to each order: one to three events in one to three transactions. The same in every run. */
final class OrderScript {

    private static final List<String> TYPES = List.of("OrderPlaced", "OrderPaid", "NoteAdded");
    private static final int ROLLBACK_PERCENT = 7;
    private static final int SAVEPOINT_PERCENT = 5;

    private final int orders;

    OrderScript(int orders) {
        this.orders = orders;
    }

    /** The first creates the order; the others may run at the same time. */
    List<OrderStep> stepsOf(int number) {
        SplittableRandom random = new SplittableRandom(number);
        int events = random.nextInt(1, TYPES.size() + 1);
        int transactions = random.nextInt(1, events + 1);
        List<OrderStep> steps = new ArrayList<>();
        for (int i = 0; i < transactions; i++) {
            int end = i == transactions - 1 ? events : i + 1;
            steps.add(new OrderStep(
                    "order-" + number, i == 0, TYPES.subList(i, end), mishap(random), i == 0 && number == orders / 2));
        }
        return steps;
    }

    /** How many events all orders have together. */
    long eventCount() {
        return IntStream.range(0, orders)
                .mapToObj(this::stepsOf)
                .flatMap(List::stream)
                .mapToLong(step -> step.types().size())
                .sum();
    }

    private static Mishap mishap(SplittableRandom random) {
        int dice = random.nextInt(100);
        if (dice < ROLLBACK_PERCENT) {
            return Mishap.ROLLBACK;
        }
        return dice < ROLLBACK_PERCENT + SAVEPOINT_PERCENT ? Mishap.SAVEPOINT_ROLLBACK : Mishap.NONE;
    }
}
