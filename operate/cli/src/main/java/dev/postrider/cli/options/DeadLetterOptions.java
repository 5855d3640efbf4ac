package dev.postrider.cli.options;

import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadReason;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Which dead letters are meant: all that match everything that is given. */
public final class DeadLetterOptions {

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--id", paramLabel = "ID", description = "The message with this id.")
    private @Nullable String id;

    @Option(
            names = "--destination",
            paramLabel = "NAME",
            description = "Messages whose topic goes to this destination; needs --config, which has the routes.")
    private @Nullable String destination;

    @Option(names = "--topic", paramLabel = "TOPIC", description = "Messages of this topic.")
    private @Nullable String topic;

    @Option(names = "--type", paramLabel = "TYPE", description = "Messages of this type.")
    private @Nullable String type;

    @Option(names = "--key", paramLabel = "KEY", description = "Messages of this key.")
    private @Nullable String key;

    @Option(
            names = "--reason",
            paramLabel = "REASON",
            description = "Given up for this reason: ${COMPLETION-CANDIDATES}.")
    private @Nullable DeadReason reason;

    @Option(names = "--error", paramLabel = "TEXT", description = "Messages whose last error contains this text.")
    private @Nullable String error;

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description = "Given up after this moment (2026-03-01T12:00:00Z), day, or time ago (2h).")
    private @Nullable Instant since;

    @Option(names = "--until", paramLabel = "WHEN", description = "Given up before this moment, day, or time ago.")
    private @Nullable Instant until;

    /** Everything but the destination. */
    public DeadLetterFilter filter() {
        DeadLetterFilter filter =
                id == null ? DeadLetterFilter.all() : DeadLetterFilter.byId(Values.messageId(spec, id));
        filter = topic == null ? filter : filter.withTopic(topic);
        filter = type == null ? filter : filter.withType(type);
        filter = key == null ? filter : filter.withKey(key);
        filter = reason == null ? filter : filter.withReason(reason);
        filter = error == null ? filter : filter.withError(error);
        filter = since == null ? filter : filter.withDiedAfter(since);
        return until == null ? filter : filter.withDiedBefore(until);
    }

    public Optional<String> destination() {
        return Optional.ofNullable(destination);
    }

    public boolean isEmpty() {
        return destination == null && filter().equals(DeadLetterFilter.all());
    }
}
