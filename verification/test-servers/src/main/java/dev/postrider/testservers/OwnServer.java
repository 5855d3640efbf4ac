package dev.postrider.testservers;

import dev.postrider.servers.RestartableServer;
import java.util.OptionalLong;

/** What a test may do to the process of a server that it has for itself. */
interface OwnServer extends RestartableServer {

    Instance instance();

    /** Sends SIGKILL to the server and all its children and returns when they are gone: a crash without any farewell. */
    @Override
    default void killHard() {
        instance().killHard();
    }

    /** Shuts the server down cleanly and returns when it is gone. Its data stays for {@link #restart}. */
    default void stop() {
        instance().stop();
    }

    /** Starts the server again on the same data and ports, and returns when it takes clients. Stops it first if it runs. */
    @Override
    default void restart() {
        instance().stop();
        start();
    }

    /** Returns when it takes clients. */
    void start();

    /** Sends SIGSTOP to the server and all its children: connections stay open and nothing answers. */
    default void freeze() {
        instance().freeze();
    }

    /** Lets a frozen server go on. */
    default void thaw() {
        instance().thaw();
    }

    /** Whether the server process lives; a frozen one does. */
    default boolean isRunning() {
        return instance().isRunning();
    }

    /** Its process, whose children belong to it too; empty if it runs in a container. */
    @Override
    default OptionalLong processId() {
        return instance().processId();
    }

    /** Ends the server at once and deletes its data. */
    @Override
    default void close() {
        instance().discard();
    }
}
