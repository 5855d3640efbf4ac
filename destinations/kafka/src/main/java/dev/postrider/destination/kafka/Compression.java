package dev.postrider.destination.kafka;

import java.util.Locale;

/** How batches of records are compressed on their way and at the broker. */
public enum Compression {
    /** Not at all. */
    NONE,
    GZIP,
    SNAPPY,
    LZ4,
    ZSTD;

    /** The name that Kafka knows. */
    String configured() {
        return name().toLowerCase(Locale.ROOT);
    }
}
