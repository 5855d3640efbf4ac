package dev.postrider.cli.command;

import dev.postrider.cli.options.DatabaseOptions;
import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.cli.options.OutputOptions;
import dev.postrider.cli.output.Answers;
import dev.postrider.cli.output.Plain;
import dev.postrider.internal.Readable;
import dev.postrider.message.MessageId;
import dev.postrider.service.database.DeliveredMessages;
import dev.postrider.service.database.DeliveredMessages.Delivered;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.operation.Fields;
import dev.postrider.store.jdbc.SchemaMode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postrider tail}: deliveries as they happen. */
@Command(
        name = "tail",
        description = {
            "Shows deliveries as they happen, without payloads, until you interrupt it.",
            "",
            "Reads the audit trail, so the outbox must keep one (audit plain or partitioned)."
        },
        footer = {
            "  postrider tail --config postrider.yaml",
            "  postrider tail --config postrider.yaml --since 10m --once --output json"
        })
final class TailCommand extends AnyCommand implements Callable<Integer> {

    private static final int PAGE = 5_000;
    private static final long INTERVAL_MILLIS = 500;

    /** A delivery is dated when its transaction starts and seen when it commits: so far back one may still appear. */
    private static final Duration OVERLAP = Duration.ofSeconds(10);

    @Mixin
    private DatabaseOptions database;

    @Mixin
    private OutputOptions output;

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description = "From this moment, day or time ago on. Default: the last ten seconds.")
    private @Nullable Instant since;

    @Option(names = "--once", description = "Shows what there is and ends.")
    private boolean once;

    private final Map<MessageId, Instant> seen = new HashMap<>();

    @Override
    public Integer call() throws InterruptedException {
        OutboxTarget target = database.target();
        try (OutboxDatabase opened = OutboxDatabase.open(target.database())) {
            if (!opened.tables(target.store()).open(SchemaMode.VERIFY).keepsDelivered()) {
                err().println("postrider tail: This outbox keeps no audit trail, so nothing is known of what was"
                        + " delivered. Create one: postrider schema apply --audit plain");
                return ExitCode.FAILED.number();
            }
            follow(new DeliveredMessages(opened.dataSource(), target.store()));
            return ExitCode.OK.number();
        }
    }

    private void follow(DeliveredMessages messages) throws InterruptedException {
        Instant from = since != null ? since : Instant.now().minus(OVERLAP);
        Instant newest = show(messages.since(from, PAGE), from);
        while (!once || seen.size() >= PAGE) {
            Thread.sleep(once ? 0 : INTERVAL_MILLIS);
            Instant back = newest.minus(OVERLAP);
            // A full page may be all of one moment: then the overlap would read it for ever.
            newest = show(
                    messages.since(seen.size() >= PAGE ? newest : back.isBefore(from) ? from : back, PAGE), newest);
            Instant forget = newest.minus(OVERLAP);
            seen.values().removeIf(time -> time.isBefore(forget));
        }
    }

    private Instant show(List<Delivered> found, Instant newest) {
        Answers answers = answers(output);
        Instant last = newest;
        for (Delivered delivered : found) {
            if (seen.put(delivered.id(), delivered.deliveredAt()) == null) {
                answers.print(() -> List.of(line(delivered)), () -> fields(delivered));
            }
            last = delivered.deliveredAt().isAfter(last) ? delivered.deliveredAt() : last;
        }
        return last;
    }

    private static String line(Delivered delivered) {
        return "%s  %s  %s  %s  %s  after %s"
                .formatted(
                        delivered.deliveredAt(),
                        delivered.id(),
                        Plain.text(delivered.topic(), 40),
                        Plain.text(delivered.key().orElse("-"), 40),
                        Plain.text(delivered.type(), 60),
                        Readable.time(Duration.between(delivered.createdAt(), delivered.deliveredAt())));
    }

    private static Fields fields(Delivered delivered) {
        return new Fields()
                .with("delivered_at", delivered.deliveredAt())
                .with("id", delivered.id().text())
                .with("topic", delivered.topic())
                .with("key", delivered.key())
                .with("type", delivered.type())
                .with("lane", delivered.lane())
                .with("seq", delivered.seq())
                .with("created_at", delivered.createdAt());
    }
}
