package dev.postrider.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches unless the application says itself what the group of readiness has. */
final class OnOwnReadiness extends SpringBootCondition {

    private static final String GROUP = "management.endpoint.health.group." + OutboxHealth.READINESS;

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean isSet = Binder.get(context.getEnvironment())
                .bind(GROUP, Bindable.mapOf(String.class, Object.class))
                .isBound();
        return new ConditionOutcome(!isSet, ConditionMessage.of(GROUP + (isSet ? " is set" : " is not set")));
    }
}
