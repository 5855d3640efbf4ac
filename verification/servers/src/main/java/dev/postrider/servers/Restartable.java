package dev.postrider.servers;

import java.util.OptionalLong;

/** A server of which those who started it may dispose. Address and data stay the same over a restart. Not thread-safe. */
public interface Restartable extends AutoCloseable {

    /** For people: what it is and where it listens. */
    String description();

    /** The process that was started, with its children the whole server; empty where it runs in a container. */
    OptionalLong processId();

    /** Ends it without any farewell, as a crash would. */
    void killHard();

    /** Starts it again and returns when it takes clients. */
    void restart();

    /** Ends it and removes its data. */
    @Override
    void close();
}
