package dev.postrider.benchpeers;

import java.util.List;

/** A peer at work. Used by one thread; its own workers are its own business. */
interface PeerOutbox extends AutoCloseable {

    /** Takes all of these messages in one transaction. */
    void enqueue(List<PeerMessage> messages) throws Exception;

    /** Starts to deliver what was enqueued. */
    void deliver() throws Exception;

    /** How many messages it would deliver again if it were restarted. */
    long pending() throws Exception;

    /** Ends its workers. Its tables stay. */
    @Override
    void close();
}
