package dev.postrider.servers;

import java.util.OptionalLong;

/** A server that whoever started it may kill and restart. Address and data survive a restart. Not thread-safe. */
public interface RestartableServer extends AutoCloseable {

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
