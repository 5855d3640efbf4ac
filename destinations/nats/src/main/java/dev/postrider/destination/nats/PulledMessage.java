package dev.postrider.destination.nats;

import io.nats.client.Message;

/** A message that the server has delivered and waits for an answer to. Thread-safe. */
final class PulledMessage {

    private final Message wire;
    private volatile String answerTo;

    PulledMessage(Message wire) {
        this.wire = wire;
        this.answerTo = wire.getReplyTo();
    }

    Message wire() {
        return wire;
    }

    /** The place of the message in its stream. */
    long sequence() {
        return wire.metaData().streamSequence();
    }

    /** How often it was delivered, this time included. */
    int deliveries() {
        return (int) Math.min(Integer.MAX_VALUE, wire.metaData().deliveredCount());
    }

    /** Where the server waits for an answer. */
    String answerTo() {
        return answerTo;
    }

    /** The server has delivered it once more meanwhile, and waits for an answer there. */
    void answerTo(String subject) {
        this.answerTo = subject;
    }

    /** For people. */
    @Override
    public String toString() {
        return "Message " + sequence() + " of " + wire.metaData().getStream();
    }
}
