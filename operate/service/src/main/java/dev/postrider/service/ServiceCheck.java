package dev.postrider.service;

import dev.postrider.internal.SafeText;
import dev.postrider.message.PostriderException;
import dev.postrider.service.database.DatabaseException;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.TableProbe;
import dev.postrider.spi.Check;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Finding;
import dev.postrider.spi.Health;
import dev.postrider.spi.TraceContext;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tries everything that a relay needs. Changes nothing: it delivers no message, and creates neither tables nor database. */
public final class ServiceCheck {

    /**
     * One thing that was tried.
     *
     * @param problems what is wrong, one line each; empty when all is well
     */
    public record Tried(String subject, List<String> problems) {
        public Tried {
            problems = List.copyOf(problems);
        }

        public boolean isGood() {
            return problems.isEmpty();
        }
    }

    private final List<Tried> tried = new ArrayList<>();

    private ServiceCheck() {}

    /** Tries databases, tables, privileges, destinations and topics; goes on after a failure. */
    public static List<Tried> run(ServiceConfig config) {
        ServiceCheck check = new ServiceCheck();
        KnownTopics topics = KnownTopics.of(config, config.outboxNames());
        Map<String, Destination> destinations = config.createDestinations();
        try {
            destinations.values().forEach(destination -> check.tryDestination(destination, topics));
            OpenOutbox.Shared shared =
                    new OpenOutbox.Shared(destinations, new SimpleMeterRegistry(), false, TraceContext.NONE);
            config.outboxes().forEach(outbox -> check.tryOutbox(outbox, shared));
        } finally {
            destinations.values().forEach(Destination::close);
        }
        return check.tried;
    }

    private void tryDestination(Destination destination, KnownTopics topics) {
        String subject = "destination " + destination.name();
        if (destination.healthCheck() instanceof Health.Down down) {
            tried.add(new Tried(subject, List.of(FileWords.of(SafeText.of(down.reason())))));
            return;
        }
        tried.add(new Tried(subject, List.of()));
        destination.checks(topics.of(destination.name())).forEach(check -> tryTopic(subject, check));
    }

    /** What is less safe than it could be is for the doctor to say. */
    private void tryTopic(String subject, Check check) {
        List<String> problems;
        try {
            problems = check.run().stream()
                    .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                    .map(FileWords::of)
                    .map(finding -> finding.what() + ". " + finding.fix())
                    .toList();
        } catch (Exception failure) {
            problems = List.of("could not be checked: " + SafeText.of(String.valueOf(failure.getMessage())));
        }
        tried.add(new Tried(subject + ": " + check.name(), problems));
    }

    private void tryOutbox(OutboxConfig outbox, OpenOutbox.Shared shared) {
        String subject = "outbox " + outbox.name() + ": ";
        String step = "database";
        boolean createsTables = outbox.store().createsTables();
        try (OutboxDatabase database = OutboxDatabase.open(outbox.database())) {
            tried.add(new Tried(subject + step, List.of()));
            step = "tables and settings";
            if (createsTables && database.tables(outbox.store()).stored().isEmpty()) {
                tried.add(new Tried(subject + "no tables yet; the relay creates them when it starts", List.of()));
                return;
            }
            try (OpenOutbox opened = OpenOutbox.check(database, outbox, shared)) {
                tried.add(new Tried(subject + step, List.of()));
                if (!outbox.store().isExisting()) {
                    tried.add(new Tried(subject + "privileges", privileges(outbox, opened)));
                }
            }
        } catch (PostriderException | IllegalArgumentException failure) {
            tried.add(
                    createsTables && failure instanceof DatabaseException database && database.isMissing()
                            ? new Tried(subject + "no database yet; the relay creates it when it starts", List.of())
                            : new Tried(
                                    subject + step,
                                    List.of(FileWords.of(SafeText.of(String.valueOf(failure.getMessage()))))));
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
