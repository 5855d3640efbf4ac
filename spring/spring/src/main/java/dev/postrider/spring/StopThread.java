package dev.postrider.spring;

import dev.postrider.internal.Internal;

/** Stops a part of the context on a thread of its own, so that the time-out of the shutdown phase bounds the wait. */
@Internal
public final class StopThread {

    private StopThread() {}

    /** @param callback tells the context that it has stopped, or has failed to */
    public static void start(String name, Runnable stop, Runnable callback) {
        Thread thread = new Thread(
                () -> {
                    try {
                        stop.run();
                    } finally {
                        callback.run();
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }
}
