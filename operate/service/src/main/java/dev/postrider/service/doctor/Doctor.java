package dev.postrider.service.doctor;

import dev.postrider.internal.SafeText;
import dev.postrider.message.PostriderException;
import dev.postrider.service.FileWords;
import dev.postrider.service.KnownTopics;
import dev.postrider.service.ServiceConfig;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.spi.Check;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Finding;
import dev.postrider.spi.Health;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Examines outboxes and destinations, one check after the other. What one check cannot see does not keep the others from
 * looking. Changes nothing. For one thread.
 */
public final class Doctor {

    private final Duration oldAfter;
    private final Clock clock;
    private final Consumer<Examined> listener;

    /**
     * Ready to look.
     *
     * @param oldAfter from which age on a transaction counts as long
     * @param listener told of each check as soon as it was made
     */
    public Doctor(Duration oldAfter, Consumer<Examined> listener) {
        this(oldAfter, Clock.systemUTC(), listener);
    }

    Doctor(Duration oldAfter, Clock clock, Consumer<Examined> listener) {
        this.oldAfter = oldAfter;
        this.clock = clock;
        this.listener = listener;
    }

    /** Looks at a database and the tables in it. */
    public void examine(ExaminedOutbox outbox) {
        examine(outbox, () -> OutboxDatabase.open(outbox.database()));
    }

    /** The same over connections that somebody else makes; they are closed. */
    public void examine(ExaminedOutbox outbox, Supplier<OutboxDatabase> connections) {
        try (OutboxDatabase opened = connections.get()) {
            tell(outbox.subject(), "database", List.of());
            new DatabaseChecks(outbox, opened, oldAfter, clock).all().forEach(check -> make(outbox.subject(), check));
        } catch (PostriderException unreachable) {
            tell(outbox.subject(), "database", List.of(unusable(unreachable)));
        }
    }

    private static Finding unusable(PostriderException failure) {
        return Finding.error(
                SafeText.of(String.valueOf(failure.getMessage())),
                "nothing is delivered, and nothing can be checked",
                "Correct the address, the account or the server");
    }

    /**
     * Looks at the destinations that these outboxes use.
     *
     * @param outboxes their names in the file
     */
    public void examineDestinations(ServiceConfig config, Collection<String> outboxes) {
        KnownTopics topics = KnownTopics.of(config, outboxes);
        config.withDestinations(outboxes, destination -> examine(destination, topics.of(destination.name())));
    }

    private void examine(Destination destination, Collection<String> topics) {
        String subject = "destination " + destination.name();
        if (destination.healthCheck() instanceof Health.Down down) {
            tell(
                    subject,
                    "broker",
                    List.of(Finding.error(
                            FileWords.of(SafeText.of(down.reason())),
                            "nothing is delivered to it; the relay waits",
                            "Correct its settings, or bring the broker back")));
            return;
        }
        tell(subject, "broker", List.of());
        List<Check> checks = destination.checks(topics);
        if (topics.isEmpty() && !destination.checks(List.of("any")).isEmpty()) {
            tell(subject, "topics", List.of(noTopics()));
        }
        checks.forEach(check -> make(subject, check));
    }

    private static Finding noTopics() {
        return Finding.note(
                "no topic is known: the outbox is empty, and the file lists none",
                "the doctor cannot check whether topics exist and are replicated",
                "List them in the file, as 'topics' of the outbox");
    }

    private void make(String subject, Check check) {
        try {
            tell(subject, check.name(), check.run().stream().map(FileWords::of).toList());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new PostriderException("Interrupted while looking at " + check.name(), interrupted);
        } catch (Exception unseen) {
            tell(subject, check.name(), List.of(unseen(unseen)));
        }
    }

    private static Finding unseen(Exception failure) {
        String reason = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        return Finding.note(
                "could not be checked: "
                        + SafeText.of(reason.lines().findFirst().orElse("")),
                "it may be fine or not",
                "Run the doctor as a user who may see it");
    }

    private void tell(String subject, String check, List<Finding> findings) {
        listener.accept(new Examined(subject, check, findings));
    }
}
