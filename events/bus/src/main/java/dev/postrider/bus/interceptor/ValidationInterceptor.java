package dev.postrider.bus.interceptor;

import dev.postrider.bus.EventContext;
import dev.postrider.bus.HandleInterceptor;
import dev.postrider.bus.Publication;
import dev.postrider.bus.PublishInterceptor;
import dev.postrider.bus.UnprocessableEventException;
import dev.postrider.message.OutboxMessage;
import java.util.List;
import java.util.Objects;

/**
 * Refuses events whose data are not valid: the publisher gets the exception, the subscriber parks the event. For both sides. Thread-safe.
 */
public final class ValidationInterceptor implements PublishInterceptor, HandleInterceptor {

    private final EventValidator validator;

    public ValidationInterceptor(EventValidator validator) {
        this.validator = Objects.requireNonNull(validator, "validator");
    }

    @Override
    public OutboxMessage intercept(Publication publication, PublishInterceptor.Next next) {
        check(publication.type().name(), publication.data());
        return next.proceed(publication);
    }

    @Override
    public void intercept(Object event, EventContext context, HandleInterceptor.Next next) throws Exception {
        check(context.message().type(), event);
        next.proceed();
    }

    private void check(String type, Object event) {
        List<String> violations = validator.violations(event);
        if (!violations.isEmpty()) {
            throw new UnprocessableEventException(
                    "The data of " + type + " are not valid: " + String.join("; ", violations));
        }
    }
}
