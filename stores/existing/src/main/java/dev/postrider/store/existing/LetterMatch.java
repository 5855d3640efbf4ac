package dev.postrider.store.existing;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.store.existing.Head.Texts;
import java.util.Optional;

/** Whether a letter passes a filter, and what stands for a message that cannot be read. */
final class LetterMatch {

    private LetterMatch() {}

    static boolean matches(DeadLetter letter, DeadLetterFilter filter) {
        return isOrAbsent(filter.id(), letter.message().id())
                && isOrAbsent(filter.topic(), letter.message().topic())
                && isOrAbsent(filter.type(), letter.message().type())
                && (filter.key().isEmpty()
                        || filter.key().equals(letter.message().key()))
                && isOrAbsent(filter.reason(), letter.reason())
                && filter.diedAfter().map(letter.diedAt()::isAfter).orElse(true)
                && filter.diedBefore().map(letter.diedAt()::isBefore).orElse(true);
    }

    private static <V> boolean isOrAbsent(Optional<V> wanted, V value) {
        return wanted.isEmpty() || wanted.get().equals(value);
    }

    /** What can be shown of a row without reading all of it. */
    static OutboxMessage standIn(Head head) {
        OutboxMessage.Builder message = OutboxMessage.builder("unreadable").id(head.id());
        try {
            OutboxMessage.Builder readable = OutboxMessage.builder(head.topic())
                    .id(head.id())
                    .type(head.text(Texts.TYPE).orElse("unreadable"));
            head.messageKey().filter(key -> !key.isEmpty()).ifPresent(readable::key);
            return readable.build();
        } catch (RuntimeException unreadable) {
            return message.type("unreadable").build();
        }
    }
}
