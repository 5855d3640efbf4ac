package dev.postrider.cli;

import java.util.logging.Level;
import java.util.logging.Logger;

/** What PostgreSQL's driver writes to a log of its own, where it quotes addresses, passwords included. */
final class DriverLog {

    /** Kept, or the level would be forgotten with the logger. */
    private static final Logger POSTGRESQL = Logger.getLogger("org.postgresql");

    private DriverLog() {}

    static void silence() {
        POSTGRESQL.setLevel(Level.OFF);
    }
}
