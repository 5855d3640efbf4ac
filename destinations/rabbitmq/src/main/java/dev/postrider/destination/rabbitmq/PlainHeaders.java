package dev.postrider.destination.rabbitmq;

import dev.postrider.message.InvalidMessageException;
import java.util.Set;

/** The headers of a message that travel under their own names: none may be one by which the broker does something. */
final class PlainHeaders {

    private static final String OF_EVENTS = "cloudEvents";

    /** Further routing keys: they would lead copies past the topic. */
    static final Set<String> ROUTES = Set.of("CC", "BCC");

    private PlainHeaders() {}

    /**
     * The name, if a message may have a header of it.
     *
     * @throws InvalidMessageException if not; the text says why
     */
    static String checkedName(String name) {
        if (name.startsWith(OF_EVENTS)) {
            throw refused(name, "which would be taken for a CloudEvents attribute");
        }
        if (ROUTES.contains(name)) {
            throw refused(name, "by which RabbitMQ would route copies into further queues");
        }
        if (DeathRecord.isRecord(name)) {
            throw refused(name, "in which RabbitMQ and receivers count how often a message failed");
        }
        return AmqpText.shortString("header name", name);
    }

    private static InvalidMessageException refused(String name, String reason) {
        return new InvalidMessageException("headers", "have the name '" + name + "', " + reason + "; rename it");
    }
}
