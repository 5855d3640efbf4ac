package dev.postrider.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches where no outbox has a name. */
final class OnSingleOutbox extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean isSingle = PostriderProperties.outboxNames((ConfigurableEnvironment) context.getEnvironment())
                .isEmpty();
        return new ConditionOutcome(
                isSingle, ConditionMessage.of(isSingle ? "a single outbox" : "postrider.outboxes has several"));
    }
}
