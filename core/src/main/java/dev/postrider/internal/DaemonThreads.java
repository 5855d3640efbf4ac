package dev.postrider.internal;

import java.util.concurrent.ThreadFactory;

/** Makes threads of one name that keep no process alive. */
public record DaemonThreads(String name) implements ThreadFactory {

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
