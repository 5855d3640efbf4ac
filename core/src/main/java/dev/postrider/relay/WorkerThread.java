package dev.postrider.relay;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The thread of a worker, as others see it: they end its pause when there is something to do. */
final class WorkerThread {

    private volatile @Nullable Thread thread;
    private volatile boolean isWoken;

    void runsOn(Thread runner) {
        thread = runner;
    }

    /** Ends its pause. */
    void unpark() {
        LockSupport.unpark(thread);
    }

    /** New messages are there. */
    void wake() {
        isWoken = true;
        unpark();
    }

    boolean isWoken() {
        return isWoken;
    }

    /** Whether it was woken since the last call. */
    boolean takeWake() {
        boolean wasWoken = isWoken;
        if (wasWoken) {
            isWoken = false;
        }
        return wasWoken;
    }
}
