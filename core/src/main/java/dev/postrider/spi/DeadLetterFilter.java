package dev.postrider.spi;

import dev.postrider.message.MessageId;
import dev.postrider.spi.DeadLetters.DeadLetter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Which dead letters are meant. Every part that is given must match; {@link #all()} matches every one.
 *
 * @param error what the last error contains, in upper or lower case
 * @param diedBefore by the database's clock
 * @param diedAfter by the database's clock
 */
public record DeadLetterFilter(
        Optional<MessageId> id,
        Optional<String> topic,
        Optional<String> type,
        Optional<String> key,
        Optional<DeadReason> reason,
        Optional<String> error,
        Optional<Instant> diedAfter,
        Optional<Instant> diedBefore) {

    private static final DeadLetterFilter ALL = new DeadLetterFilter(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** Whether this letter is meant. */
    public boolean matches(DeadLetter letter) {
        return matches(id, letter.message().id())
                && matches(topic, letter.message().topic())
                && matches(type, letter.message().type())
                && (key.isEmpty() || key.equals(letter.message().key()))
                && matches(reason, letter.reason())
                && error.map(text -> lower(letter.error()).contains(lower(text)))
                        .orElse(true)
                && diedAfter.map(letter.diedAt()::isAfter).orElse(true)
                && diedBefore.map(letter.diedAt()::isBefore).orElse(true);
    }

    private static <V> boolean matches(Optional<V> wanted, V value) {
        return wanted.isEmpty() || wanted.get().equals(value);
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /** For the record of operations, such as {@code topic=orders, reason=REJECTED}. */
    public String describe() {
        List<String> parts = new ArrayList<>();
        id.ifPresent(value -> parts.add("id=" + value));
        topic.ifPresent(value -> parts.add("topic=" + value));
        type.ifPresent(value -> parts.add("type=" + value));
        key.ifPresent(value -> parts.add("key=" + value));
        reason.ifPresent(value -> parts.add("reason=" + value));
        error.ifPresent(value -> parts.add("error=" + value));
        diedAfter.ifPresent(time -> parts.add("diedAfter=" + time));
        diedBefore.ifPresent(time -> parts.add("diedBefore=" + time));
        return parts.isEmpty() ? "all" : String.join(", ", parts);
    }

    public static DeadLetterFilter all() {
        return ALL;
    }

    public static DeadLetterFilter byId(MessageId id) {
        return ALL.withId(id);
    }

    public DeadLetterFilter withId(MessageId value) {
        return new DeadLetterFilter(Optional.of(value), topic, type, key, reason, error, diedAfter, diedBefore);
    }

    public DeadLetterFilter withTopic(String value) {
        return new DeadLetterFilter(id, Optional.of(value), type, key, reason, error, diedAfter, diedBefore);
    }

    public DeadLetterFilter withType(String value) {
        return new DeadLetterFilter(id, topic, Optional.of(value), key, reason, error, diedAfter, diedBefore);
    }

    public DeadLetterFilter withKey(String value) {
        return new DeadLetterFilter(id, topic, type, Optional.of(value), reason, error, diedAfter, diedBefore);
    }

    public DeadLetterFilter withReason(DeadReason value) {
        return new DeadLetterFilter(id, topic, type, key, Optional.of(value), error, diedAfter, diedBefore);
    }

    public DeadLetterFilter withError(String value) {
        return new DeadLetterFilter(id, topic, type, key, reason, Optional.of(value), diedAfter, diedBefore);
    }

    public DeadLetterFilter withDiedAfter(Instant value) {
        return new DeadLetterFilter(id, topic, type, key, reason, error, Optional.of(value), diedBefore);
    }

    public DeadLetterFilter withDiedBefore(Instant value) {
        return new DeadLetterFilter(id, topic, type, key, reason, error, diedAfter, Optional.of(value));
    }
}
