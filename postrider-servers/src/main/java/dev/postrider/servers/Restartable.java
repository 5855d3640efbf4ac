package dev.postrider.servers;

/** A server of which those who started it may dispose. Address and data stay the same over a restart. Not thread-safe. */
public interface Restartable extends AutoCloseable {

    /** For people: what it is and where it listens. */
    String description();

    /** Ends it without any farewell, as a crash would. */
    void killHard();

    /** Starts it again and returns when it takes clients. */
    void restart();

    /** Ends it and removes its data. */
    @Override
    void close();
}
