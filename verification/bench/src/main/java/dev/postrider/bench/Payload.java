package dev.postrider.bench;

import java.util.Random;

/** Payloads that no database can compress. Stateless. */
public final class Payload {

    private Payload() {}

    /** The same bytes for the same length and seed. */
    public static byte[] of(int bytes, long seed) {
        byte[] payload = new byte[bytes];
        new Random(seed).nextBytes(payload);
        return payload;
    }
}
