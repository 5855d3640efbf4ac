package dev.postrider.store.existing;

import dev.postrider.message.OutboxMessage;
import dev.postrider.store.existing.Head.Texts;

/** What stands for a message that cannot be read. */
final class StandIn {

    private StandIn() {}

    /** What can be shown of a row without reading all of it. */
    static OutboxMessage of(Head head) {
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
