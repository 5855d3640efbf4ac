package dev.postrider.faults;

import dev.postrider.message.OutboxMessage;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** What broker and destination say to each other: a greeting, then numbered messages one way and answers the other way. */
final class Wire {

    /** The length of a number and an answer. */
    static final int ANSWER_BYTES = Long.BYTES + 1;

    private Wire() {}

    static void writeMessage(DataOutputStream out, long number, OutboxMessage message) throws IOException {
        out.writeLong(number);
        out.writeUTF(message.id().toString());
        out.writeUTF(message.topic());
        out.writeUTF(message.key().orElse(""));
        out.writeInt(message.payload().length);
        out.write(message.payload());
        out.flush();
    }

    /** Reads what follows the number. */
    static Delivery readMessage(DataInputStream in, String relay) throws IOException {
        String id = in.readUTF();
        String topic = in.readUTF();
        String key = in.readUTF();
        byte[] payload = in.readNBytes(in.readInt());
        return new Delivery(relay, id, topic, key, count(payload), System.nanoTime());
    }

    static void writeAnswer(DataOutputStream out, long number, Answer answer) throws IOException {
        synchronized (out) {
            out.writeLong(number);
            out.writeByte(answer.ordinal());
            out.flush();
        }
    }

    static Answer readAnswer(DataInputStream in) throws IOException {
        return Answer.values()[in.readByte()];
    }

    /** A payload of at least {@code size} bytes that begins with the count. */
    static byte[] payload(long n, int size) {
        String count = Long.toString(n);
        return (count + " ".repeat(Math.max(0, size - count.length()))).getBytes(StandardCharsets.US_ASCII);
    }

    /** The count with which {@link #payload} begins. */
    static long count(byte[] payload) {
        return Long.parseLong(new String(payload, StandardCharsets.US_ASCII).strip());
    }
}
