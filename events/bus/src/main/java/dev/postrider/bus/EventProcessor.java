package dev.postrider.bus;

import dev.postrider.internal.LogThrottle;
import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.spi.Delivery;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Takes one delivery from decoding to settlement. Thread-safe. */
final class EventProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(EventProcessor.class);
    private final LogThrottle throttle = new LogThrottle(LOG);
    private static final int MAX_REASON = 1024;

    private final String subscriber;
    private final EventContext.Subscribing subscribing;
    private final HandlerRegistry handlers;
    private final CodecRegistry codecs;
    private final List<HandleInterceptor> interceptors;
    private final BooleanSupplier isClosing;
    private final BooleanSupplier isInterrupting;

    /**
     * For one subscriber.
     *
     * @param isClosing whether handlers should come to an end
     * @param isInterrupting whether handlers are being interrupted since they did not
     */
    EventProcessor(
            Subscriber.Builder subscriber,
            HandlerRegistry handlers,
            BooleanSupplier isClosing,
            BooleanSupplier isInterrupting) {
        this.subscriber = subscriber.name;
        this.subscribing = new EventContext.Subscribing(subscriber.name, subscriber.receiver.system());
        this.handlers = handlers;
        this.codecs = subscriber.codecs;
        this.interceptors = List.copyOf(subscriber.interceptors);
        this.isClosing = isClosing;
        this.isInterrupting = isInterrupting;
    }

    /** Settles the delivery, whatever happens, unless its handler was interrupted: closing the receiver then returns it to the broker. */
    void process(Delivery delivery) {
        try {
            handle(delivery);
            delivery.acknowledge();
        } catch (Throwable failure) {
            // Also an Error: an unsettled delivery would hold its place for ever.
            settleFailed(delivery, failure);
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void handle(Delivery delivery) throws Exception {
        EventContext context = new EventContext(delivery, attributesOf(delivery), subscribing, isClosing);
        RegisteredHandler.Handling handling = decode(delivery);
        proceed(0, handling, context);
    }

    private static CloudEventAttributes attributesOf(Delivery delivery) {
        try {
            return delivery.event();
        } catch (InvalidMessageException invalid) {
            throw new UnprocessableEventException("The message is no CloudEvent: " + invalid.getMessage(), invalid);
        }
    }

    private RegisteredHandler.Handling decode(Delivery delivery) {
        String type = delivery.message().type();
        RegisteredHandler<?> handler = handlers.find(type)
                .orElseThrow(() -> new UnprocessableEventException(
                        "Subscriber " + subscriber + " has no handler for event type '" + type + "'"));
        try {
            return handler.bind(delivery.message(), codecs);
        } catch (RuntimeException | StackOverflowError unreadable) {
            // Whatever a codec throws: the same bytes would be as unreadable the next time.
            throw new UnprocessableEventException(
                    "The data of " + type + " cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    /** The position is a value of each call, so that an interceptor may go on more than once. */
    private void proceed(int position, RegisteredHandler.Handling handling, EventContext context) throws Exception {
        if (position == interceptors.size()) {
            handling.action().run(context);
        } else {
            interceptors
                    .get(position)
                    .intercept(handling.event(), context, () -> proceed(position + 1, handling, context));
        }
    }

    private void settleFailed(Delivery delivery, Throwable failure) {
        String reason = reasonOf(failure);
        if (isInterrupting.getAsBoolean()) {
            // Not the event's fault: as its last attempt it would be parked.
            LOG.info("Event {} was interrupted in {} and arrives again: {}", delivery.message(), subscriber, reason);
        } else if (UnprocessableEventException.isCauseOf(failure)) {
            throttle.warn(
                    "parked",
                    failure,
                    "Event {} cannot be processed by {} and is parked",
                    delivery.message().toString(),
                    subscriber);
            delivery.park(reason);
        } else {
            String event = delivery.message().toString();
            throttle.failed(
                    Level.INFO,
                    delivery.message().type(),
                    (level, note) -> LOG.atLevel(level)
                            .setCause(LogThrottle.trace(level, failure))
                            .log(
                                    "Event {} failed in {} at attempt {} and is retried later: {}{}",
                                    event,
                                    subscriber,
                                    delivery.attempt(),
                                    reason,
                                    note));
            delivery.retryLater(reason);
        }
    }

    private static String reasonOf(Throwable failure) {
        String reason = failure.getClass().getSimpleName() + ": " + failure.getMessage();
        return reason.length() > MAX_REASON ? reason.substring(0, MAX_REASON) : reason;
    }
}
