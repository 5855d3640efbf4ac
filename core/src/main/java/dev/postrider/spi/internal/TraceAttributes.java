package dev.postrider.spi.internal;

/**
 * The names of attributes of spans, observations and meters: those of OpenTelemetry's messaging conventions 1.44, which are still in development
 * and so are written down once, here, and our own.
 */
public final class TraceAttributes {

    public static final String SYSTEM = "messaging.system";
    public static final String TOPIC = "messaging.destination.name";
    public static final String PARTITION = "messaging.destination.partition.id";
    public static final String OPERATION_NAME = "messaging.operation.name";
    public static final String OPERATION_TYPE = "messaging.operation.type";
    public static final String MESSAGE_ID = "messaging.message.id";
    public static final String BODY_SIZE = "messaging.message.body.size";
    public static final String KAFKA_KEY = "messaging.kafka.message.key";
    public static final String ROUTING_KEY = "messaging.rabbitmq.destination.routing_key";
    public static final String ERROR_TYPE = "error.type";

    public static final String OUTBOX = "postrider.outbox";
    public static final String DESTINATION = "postrider.destination";
    public static final String SUBSCRIBER = "postrider.subscriber";
    public static final String LANE = "postrider.lane";
    public static final String ATTEMPT = "postrider.attempt";
    public static final String OUTCOME = "postrider.outcome";

    /** The event of a send, and how long the message has waited in the outbox by then. */
    public static final String WAITED = "postrider.outbox.waited";

    public static final String WAITED_SECONDS = "postrider.outbox.waited.seconds";

    private TraceAttributes() {}
}
