package dev.postrider.store.jdbc;

/** The type of the payload column; fixed when the tables are created. */
public enum PayloadFormat {
    /** Bytes. The default. */
    BINARY,
    /** JSON text in UTF-8, checked by the database and kept byte for byte, so that people can read and query it. */
    JSON
}
