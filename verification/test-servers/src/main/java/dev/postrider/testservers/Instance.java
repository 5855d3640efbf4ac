package dev.postrider.testservers;

import java.util.OptionalLong;

/** One server on one data directory and port, running or not. */
interface Instance {
    /** Starts it; it may not accept connections yet when this returns. */
    void start();

    /** Ends it cleanly; does nothing if it does not run. */
    void stop();

    /** Ends it and its children with SIGKILL; does nothing if it does not run. */
    void killHard();

    void freeze();

    void thaw();

    boolean isRunning();

    /** The process that was started last; empty if it runs in a container. */
    OptionalLong processId();

    /** Ends it fast and deletes what it stored. */
    void discard();

    /** The end of what it wrote to its log. */
    String endOfLog();
}
