package dev.postrider.bus;

import dev.postrider.message.OutboxMessage;
import java.util.List;

/** Runs the chain of interceptors, encodes, and leaves the message with a sender. */
final class InterceptedPublisher implements EventPublisher {

    private final List<PublishInterceptor> interceptors;
    private final PublishOptions defaults;
    private final MessageEncoder encoder;
    private final EventSender sender;

    InterceptedPublisher(
            List<PublishInterceptor> interceptors,
            PublishOptions defaults,
            MessageEncoder encoder,
            EventSender sender) {
        this.interceptors = interceptors;
        this.defaults = defaults;
        this.encoder = encoder;
        this.sender = sender;
    }

    /** An interceptor must see whether its event was sent, so that only without any all can be sent together. */
    @Override
    public List<OutboxMessage> publishAll(List<Publication> publications) {
        return interceptors.isEmpty()
                ? publishTogether(publications)
                : publications.stream().map(this::publish).toList();
    }

    private List<OutboxMessage> publishTogether(List<Publication> publications) {
        List<OutboxMessage> messages =
                publications.stream().map(this::complete).map(encoder::encode).toList();
        if (!messages.isEmpty()) {
            sender.send(messages);
        }
        return messages;
    }

    private OutboxMessage publish(Publication publication) {
        return proceed(0, complete(publication), ready -> {
            OutboxMessage message = encoder.encode(ready);
            sender.send(List.of(message));
            return message;
        });
    }

    /** Id and time are settled before the first interceptor: whoever tries again sends the same event again. */
    private Publication complete(Publication publication) {
        return publication.withOptions(encoder.identified(publication.options().orElse(defaults)));
    }

    /** The position is a value of each call, so that an interceptor may go on more than once. */
    private OutboxMessage proceed(int position, Publication publication, PublishInterceptor.Next core) {
        if (position == interceptors.size()) {
            return core.proceed(publication);
        }
        return interceptors.get(position).intercept(publication, next -> proceed(position + 1, next, core));
    }
}
