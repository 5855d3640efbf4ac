package dev.postrider.cli.demo;

import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The threads of the order service. Later steps of an order run on any of them, two of one order also at the same time. */
final class Writers {

    /** So many follow-ups wait, so that an order's next event may meet an earlier one that is being retried. */
    private static final int FOLLOW_UPS_WAITING = 200;

    private final OrderService service;
    private final OrderScript script;
    private final int orders;
    private final Queue<OrderStep> followUps = new LinkedBlockingQueue<>();
    private final AtomicInteger nextOrder = new AtomicInteger();
    private final AtomicInteger ordersPlaced = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    Writers(OrderService service, int orders) {
        this.service = service;
        this.script = new OrderScript(orders);
        this.orders = orders;
    }

    void start(int threads) {
        running.set(threads);
        for (int i = 1; i <= threads; i++) {
            Thread thread = new Thread(this::write, "order-service-" + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void write() {
        try {
            while (failure.get() == null && writeNext()) {}
        } catch (Exception unexpected) {
            failure.compareAndSet(null, unexpected);
        } finally {
            running.decrementAndGet();
        }
    }

    /** Whoever adds follow-ups works on until there are none, so none is left behind. */
    private boolean writeNext() throws Exception {
        int order = followUps.size() < FOLLOW_UPS_WAITING ? nextOrder.getAndIncrement() : orders;
        if (order < orders) {
            place(order);
            return true;
        }
        OrderStep followUp = followUps.poll();
        if (followUp != null) {
            service.carryOut(followUp);
        }
        return followUp != null || nextOrder.get() < orders;
    }

    private void place(int order) throws Exception {
        List<OrderStep> steps = script.stepsOf(order);
        service.carryOut(steps.get(0));
        followUps.addAll(steps.subList(1, steps.size()));
        ordersPlaced.incrementAndGet();
    }

    boolean isDone() {
        return running.get() == 0;
    }

    int ordersPlaced() {
        return ordersPlaced.get();
    }

    /** What stopped the writing, if anything did. */
    Optional<Exception> failure() {
        return Optional.ofNullable(failure.get());
    }
}
