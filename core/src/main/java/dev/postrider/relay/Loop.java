package dev.postrider.relay;

/** A part of the relay that is driven step by step, by a thread of its own or by a test. */
interface Loop {

    /** For thread names and reports. */
    String name();

    /** Does what is to be done now; returns how long nothing needs to be done, in nanoseconds. */
    long step();

    /** Puts itself into a safe state after {@link #step()} failed unexpectedly. */
    default void recover() {}

    /** The thread that calls {@link #step()} from now on. */
    void runsOn(Thread runner);

    /** Ends the pause after a step early. Any thread. */
    void unpark();
}
