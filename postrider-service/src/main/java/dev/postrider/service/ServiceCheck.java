package dev.postrider.service;

import dev.postrider.message.PostriderException;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.SafeText;
import dev.postrider.service.database.TableProbe;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tries everything that a relay needs, without delivering anything. */
public final class ServiceCheck {

    /**
     * One thing that was tried.
     *
     * @param problems what is wrong, one line each; empty when all is well
     */
    public record Finding(String subject, List<String> problems) {
        public Finding {
            problems = List.copyOf(problems);
        }

        public boolean isGood() {
            return problems.isEmpty();
        }
    }

    private final List<Finding> findings = new ArrayList<>();

    private ServiceCheck() {}

    /** Tries databases, tables, privileges and destinations; goes on after a failure. */
    public static List<Finding> run(ServiceConfig config) {
        ServiceCheck check = new ServiceCheck();
        Map<String, Destination> destinations = config.createDestinations();
        try {
            destinations.values().forEach(check::tryDestination);
            OpenOutbox.Shared shared = new OpenOutbox.Shared(destinations, new SimpleMeterRegistry());
            config.outboxes().forEach(outbox -> check.tryOutbox(outbox, shared));
        } finally {
            destinations.values().forEach(Destination::close);
        }
        return check.findings;
    }

    private void tryDestination(Destination destination) {
        Health health = destination.healthCheck();
        findings.add(new Finding(
                "destination " + destination.name(),
                health instanceof Health.Down down ? List.of(SafeText.of(down.reason())) : List.of()));
    }

    private void tryOutbox(OutboxConfig outbox, OpenOutbox.Shared shared) {
        String subject = "outbox " + outbox.name() + ": ";
        String step = "database";
        try {
            OutboxDatabase.check(outbox.database());
            findings.add(new Finding(subject + step, List.of()));
            step = "tables and settings";
            try (OpenOutbox opened = OpenOutbox.open(outbox, shared)) {
                findings.add(new Finding(subject + step, List.of()));
                findings.add(new Finding(subject + "privileges", privileges(outbox, opened)));
            }
        } catch (PostriderException | IllegalArgumentException failure) {
            findings.add(new Finding(subject + step, List.of(SafeText.of(String.valueOf(failure.getMessage())))));
        }
    }

    private static List<String> privileges(OutboxConfig outbox, OpenOutbox opened) {
        TableProbe probe = new TableProbe(opened.database().dataSource(), outbox.store());
        boolean hasAudit = opened.store().keepsDelivered();
        List<String> problems = new ArrayList<>(probe.problems(hasAudit));
        if (outbox.cleanup(opened.store()).isPresent()) {
            problems.addAll(probe.maintenanceProblems(hasAudit));
        }
        return problems;
    }
}
