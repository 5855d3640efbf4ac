package dev.postrider.spring.boot;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Health in the package of Spring Boot 4. */
final class Boot4Health extends AbstractHealthIndicator {

    private final OutboxHealth health;

    Boot4Health(OutboxHealth health) {
        this.health = health;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        var problems = health.problems();
        builder.status(problems.isEmpty() ? "UP" : "DOWN").withDetails(problems);
    }
}
