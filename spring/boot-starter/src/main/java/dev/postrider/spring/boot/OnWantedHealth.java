package dev.postrider.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Switches our health on and off as every other indicator is. Boot's own condition is in another package on each line. */
final class OnWantedHealth extends SpringBootCondition {

    private static final String OWN = "management.health.postrider.enabled";
    private static final String DEFAULTS = "management.health.defaults.enabled";

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Environment environment = context.getEnvironment();
        String decides = environment.containsProperty(OWN) ? OWN : DEFAULTS;
        boolean isWanted = environment.getProperty(decides, Boolean.class, true);
        return new ConditionOutcome(isWanted, ConditionMessage.of(decides + " is " + isWanted));
    }
}
