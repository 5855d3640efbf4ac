package dev.postrider.spi;

import dev.postrider.message.MessageId;
import dev.postrider.spi.DeadLetters.DeadLetter;
import java.time.Instant;
import java.util.Optional;

/**
 * Which dead letters are meant. Every part that is given must match; {@link #all()} matches every one.
 *
 * @param diedBefore by the database's clock
 * @param diedAfter by the database's clock
 */
public record DeadLetterFilter(
        Optional<MessageId> id,
        Optional<String> topic,
        Optional<String> type,
        Optional<String> key,
        Optional<DeadReason> reason,
        Optional<Instant> diedAfter,
        Optional<Instant> diedBefore) {

    private static final DeadLetterFilter ALL = new DeadLetterFilter(
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
                && diedAfter.map(letter.diedAt()::isAfter).orElse(true)
                && diedBefore.map(letter.diedAt()::isBefore).orElse(true);
    }

    private static <V> boolean matches(Optional<V> wanted, V value) {
        return wanted.isEmpty() || wanted.get().equals(value);
    }

    public static DeadLetterFilter all() {
        return ALL;
    }

    public static DeadLetterFilter byId(MessageId id) {
        return new DeadLetterFilter(
                Optional.of(id), ALL.topic, ALL.type, ALL.key, ALL.reason, ALL.diedAfter, ALL.diedBefore);
    }

    public DeadLetterFilter withId(MessageId value) {
        return new DeadLetterFilter(Optional.of(value), topic, type, key, reason, diedAfter, diedBefore);
    }

    public DeadLetterFilter withTopic(String value) {
        return new DeadLetterFilter(id, Optional.of(value), type, key, reason, diedAfter, diedBefore);
    }

    public DeadLetterFilter withType(String value) {
        return new DeadLetterFilter(id, topic, Optional.of(value), key, reason, diedAfter, diedBefore);
    }

    public DeadLetterFilter withKey(String value) {
        return new DeadLetterFilter(id, topic, type, Optional.of(value), reason, diedAfter, diedBefore);
    }

    public DeadLetterFilter withReason(DeadReason value) {
        return new DeadLetterFilter(id, topic, type, key, Optional.of(value), diedAfter, diedBefore);
    }

    public DeadLetterFilter withDiedAfter(Instant value) {
        return new DeadLetterFilter(id, topic, type, key, reason, Optional.of(value), diedBefore);
    }

    public DeadLetterFilter withDiedBefore(Instant value) {
        return new DeadLetterFilter(id, topic, type, key, reason, diedAfter, Optional.of(value));
    }
}
