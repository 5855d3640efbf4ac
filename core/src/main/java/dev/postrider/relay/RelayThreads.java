package dev.postrider.relay;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a relay that was given no executor: daemons, so that a forgotten relay does not keep a process alive. */
final class RelayThreads {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private RelayThreads() {}

    static Executor daemon() {
        return loop -> {
            Thread thread = new Thread(loop, "postrider-" + COUNT.incrementAndGet());
            thread.setDaemon(true);
            thread.start();
        };
    }
}
