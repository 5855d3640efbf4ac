package dev.postrider.bus;

import dev.postrider.message.OutboxMessage;
import java.util.List;

/** Where a publisher leaves encoded events. */
@FunctionalInterface
interface EventSender {

    /** Takes all of them, or throws. */
    void send(List<OutboxMessage> messages);
}
