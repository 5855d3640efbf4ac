package dev.postrider.servers;

/** Daemon threads, so that a forgotten proxy keeps no JVM alive. */
final class ProxyThreads {

    private ProxyThreads() {}

    static void start(String duty, Runnable work) {
        Thread thread = new Thread(work, "fault-proxy-" + duty);
        thread.setDaemon(true);
        thread.start();
    }
}
