package dev.postrider.faults;

/** Daemon threads. */
final class Threads {

    private Threads() {}

    static Thread start(String duty, Runnable work) {
        Thread thread = new Thread(work, "faults-" + duty);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
