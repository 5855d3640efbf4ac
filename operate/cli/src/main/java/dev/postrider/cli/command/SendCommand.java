package dev.postrider.cli.command;

import dev.postrider.Outbox;
import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.cli.options.PayloadOptions;
import dev.postrider.cli.output.Plain;
import dev.postrider.internal.Readable;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import dev.postrider.service.database.MessageTracker;
import dev.postrider.service.database.MessageTracker.Position;
import dev.postrider.service.database.MessageTracker.State;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.operation.Fields;
import dev.postrider.spi.OutboxStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postrider send}: one message through outbox and relay. */
@Command(
        name = "send",
        description = {
            "Writes one message into the outbox and prints its id. A running relay delivers it.",
            "",
            "With --wait it also says what became of the message: delivered, held for a retry, or a dead letter. The"
                    + " exit code is 0 only if the message was delivered."
        },
        footer = {
            "  postrider send --config postrider.yaml --topic orders '{\"total\": 42}' --wait",
            "  postrider send --config postrider.yaml --topic orders --key order-17 --type OrderPlaced @order.json",
            "  echo hello | postrider send --config postrider.yaml --topic greetings --header lang=en -"
        })
final class SendCommand extends OutboxCommand {

    private static final long LOOK_EVERY_MILLIS = 50;

    @Mixin
    private PayloadOptions payload;

    @Option(names = "--wait", description = "Waits until a relay has tried the message.")
    private boolean wait;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "How long --wait waits. Default: ${DEFAULT-VALUE}.")
    private Duration timeout;

    @Override
    ExitCode run(OutboxTarget target, OutboxStore store, OutboxDatabase opened) throws Exception {
        if (target.store().isExisting()) {
            throw usage(
                    "Outbox " + target.name() + " relays an existing table; send writes to outboxes of Postrider only");
        }
        Outbox outbox = Outbox.withDefaults(store);
        OutboxMessage message = message(outbox);
        MessageTracker tracker = new MessageTracker(opened.dataSource(), target.store(), store);
        Optional<Position> position = outbox.inTransactionReturning(opened.dataSource(), tx -> {
            tx.enqueue(message);
            // Somebody who may only write can still send.
            return wait ? Optional.of(tracker.locate(tx.connection(), message.id())) : Optional.empty();
        });
        if (position.isEmpty()) {
            answers()
                    .print(
                            () -> List.of(message.id().toString()),
                            () -> new Fields().with("id", message.id().text()));
            return ExitCode.OK;
        }
        // Whoever stops waiting must be able to find it.
        err().println("Message " + message.id() + " is committed; waiting for a relay, at most "
                + Readable.time(timeout));
        long start = System.nanoTime();
        State state = await(tracker, position.get(), start);
        return tell(message, state, Duration.ofNanos(System.nanoTime() - start));
    }

    private OutboxMessage message(Outbox outbox) throws IOException {
        try {
            return payload.message(outbox);
        } catch (InvalidMessageException wrong) {
            throw usage(wrong.getMessage());
        }
    }

    private State await(MessageTracker tracker, Position position, long start) throws InterruptedException {
        State state = tracker.find(position);
        while (state instanceof State.Waiting && System.nanoTime() - start < timeout.toNanos()) {
            Thread.sleep(LOOK_EVERY_MILLIS);
            state = tracker.find(position);
        }
        return state;
    }

    private ExitCode tell(OutboxMessage message, State state, Duration took) {
        answers()
                .print(
                        () -> List.of(message.id().toString(), text(state, took)),
                        () -> new Fields()
                                .with("id", message.id().text())
                                .with("outcome", name(state))
                                .with("took_ms", took.toMillis())
                                .with("error", error(state)));
        return state instanceof State.Delivered ? ExitCode.OK : ExitCode.FAILED;
    }

    private static String text(State state, Duration took) {
        if (state instanceof State.Held held) {
            return held.attempts() == 0
                    ? "held: it waits behind an earlier message of its key"
                    : "held after %s: %s"
                            .formatted(Readable.count(held.attempts(), "attempt"), Plain.text(held.error()));
        }
        if (state instanceof State.Dead dead) {
            return "dead (%s): %s".formatted(dead.reason(), Plain.text(dead.error()));
        }
        return state instanceof State.Delivered
                ? "delivered after " + Readable.time(took)
                : "still waiting after %s; is a relay running? Ask postrider status, with the same options"
                        .formatted(Readable.time(took));
    }

    private static String name(State state) {
        return state instanceof State.Held
                ? "held"
                : state instanceof State.Dead ? "dead" : state instanceof State.Delivered ? "delivered" : "waiting";
    }

    private static String error(State state) {
        return state instanceof State.Held held ? held.error() : state instanceof State.Dead dead ? dead.error() : "";
    }
}
