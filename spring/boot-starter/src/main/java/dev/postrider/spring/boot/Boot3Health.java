package dev.postrider.spring.boot;

import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/** Health in the package of Spring Boot 3. */
final class Boot3Health extends AbstractHealthIndicator {

    private final OutboxHealth health;

    Boot3Health(OutboxHealth health) {
        this.health = health;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        var problems = health.problems();
        builder.status(problems.isEmpty() ? "UP" : "DOWN").withDetails(problems);
    }
}
