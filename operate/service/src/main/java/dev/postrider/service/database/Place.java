package dev.postrider.service.database;

import java.util.List;
import java.util.Locale;

/** The tables in which a message can be, and what each knows of it beyond the message itself. */
public enum Place {
    /** Committed and not yet tried. */
    HOT(""),
    /** Tried without success, or behind one that was. */
    HELD("_held"),
    /** With a due time in the future. */
    DELAYED("_delayed"),
    /** Given up. */
    DEAD("_dead"),
    /** Delivered, where the outbox keeps that. */
    SENT("_sent");

    private final String suffix;

    Place(String suffix) {
        this.suffix = suffix;
    }

    /** As it stands in an address. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String suffix() {
        return suffix;
    }

    List<String> numbers() {
        return switch (this) {
            case HOT, SENT -> List.of("seq");
            case HELD, DEAD -> List.of("seq", "attempts");
            case DELAYED -> List.of();
        };
    }

    List<String> texts() {
        return switch (this) {
            case HELD -> List.of("destination", "last_error");
            case DEAD -> List.of("reason", "last_error");
            default -> List.of();
        };
    }

    List<String> times() {
        return switch (this) {
            case HOT -> List.of();
            case HELD -> List.of("next_attempt_at", "first_failed_at");
            case DELAYED -> List.of("due_at");
            case DEAD -> List.of("first_failed_at", "died_at");
            case SENT -> List.of("delivered_at");
        };
    }

    List<String> flags() {
        return switch (this) {
            case HELD -> List.of("blocked");
            case DEAD -> List.of("retry_requested");
            default -> List.of();
        };
    }

    /** Whether the newest comes first. */
    boolean isNewestFirst() {
        return this == DEAD || this == SENT;
    }
}
