package dev.postrider.bus;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;

/** Publishes into the outbox, in transactions of its own. */
record OutboxEventBus(EventPublishers publishers, Outbox outbox, DataSource dataSource) implements EventBus {

    OutboxEventBus {
        Objects.requireNonNull(publishers, "publishers");
        Objects.requireNonNull(outbox, "outbox");
        Objects.requireNonNull(dataSource, "dataSource");
    }

    @Override
    public <T> OutboxMessage publish(EventType<T> type, T data, PublishOptions options) {
        return outbox.inTransactionReturning(
                dataSource, transaction -> publishers.in(transaction).publish(type, data, options));
    }

    @Override
    public List<OutboxMessage> publishAll(List<Publication> publications) {
        return outbox.inTransactionReturning(
                dataSource, transaction -> publishers.in(transaction).publishAll(publications));
    }

    @Override
    public Running subscribe(String subscriber, EventHandler<OutboxMessage> handler, Set<String> types) {
        throw new UnsupportedOperationException(
                "This bus only writes to the outbox; events arrive at the destination of the relay. Subscribe "
                        + subscriber + " there, by Subscriber.builder(...) with that broker's receiver");
    }
}
