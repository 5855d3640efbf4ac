package dev.postrider.prove;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What can go wrong during a proof. */
public enum Fault {
    /** A relay is killed with SIGKILL, and another starts a little later. */
    KILL,
    /** A relay is stopped with SIGSTOP for longer than its lease, and then goes on, not knowing. */
    STOP,
    /** The broker is killed with SIGKILL and started again. */
    OUTAGE,
    /** A relay's connections to the database, or those of all relays to the broker, hang, then break. */
    CUT,
    /** The database is killed with SIGKILL and started again. */
    DB_RESTART;

    /** As on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Fault of(String word) {
        return Arrays.stream(values())
                .filter(fault -> fault.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new ProofException("There is no fault '%s'; known are %s"
                        .formatted(
                                word, Arrays.stream(values()).map(Fault::word).collect(Collectors.joining(", ")))));
    }
}
