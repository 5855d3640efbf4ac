package dev.postrider.service;

import dev.postrider.relay.Backoff;
import dev.postrider.relay.OnExhausted;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.service.config.Setting;
import dev.postrider.service.config.ValueFormat;
import dev.postrider.spi.Ordering;
import java.time.Duration;
import java.util.List;

/** The keys of the section {@code relay}: each is one call of {@link RelayBuilder}. */
final class RelaySettings {

    private static final ValueFormat<Backoff> BACKOFF = new ValueFormat<>(
            "constant TIME, linear BASE MAX, exponential BASE MAX [MULTIPLIER]", RelaySettings::backoff);

    static final List<Setting<RelayBuilder>> ALL = List.of(
            Setting.of(
                    "ordering",
                    ValueFormat.choice(Ordering.class),
                    "that of the tables",
                    "What order is kept; the same in all relays of the outbox. With presets pending-wait and pending the default is global, else per-key.",
                    RelayBuilder::ordering),
            Setting.of(
                    "on-exhausted",
                    ValueFormat.choice(OnExhausted.class),
                    "What happens to a message that is rejected or whose attempts ran out.",
                    RelayBuilder::onExhausted),
            Setting.of(
                    "max-attempts",
                    ValueFormat.NUMBER,
                    "How often a message is tried in all, or less often where an existing table counts fewer; outages"
                            + " do not count. 1 to 1000000.",
                    RelayBuilder::maxAttempts),
            Setting.of("backoff", BACKOFF, "How long a failed message waits.", RelayBuilder::backoff),
            Setting.of(
                    "outage-backoff",
                    BACKOFF,
                    "How long an unreachable destination is left alone.",
                    RelayBuilder::outageBackoff),
            Setting.of(
                    "unavailable-limit",
                    ValueFormat.DURATION_FORM,
                    "How old a message may become that waits for a missing, forbidden or full place before it is given"
                            + " up. 1s to 365d.",
                    RelayBuilder::unavailableLimit),
            Setting.of(
                    "workers",
                    ValueFormat.NUMBER,
                    "How many threads fetch, dispatch and settle; each needs a connection. 1 to 64.",
                    RelayBuilder::workers),
            Setting.of(
                    "batch-size",
                    ValueFormat.NUMBER,
                    "How many outcomes are recorded at once. 1 to 10000.",
                    RelayBuilder::batchSize),
            Setting.of(
                    "max-in-flight",
                    ValueFormat.NUMBER,
                    "How many messages may be in flight to each destination; the relay begins with 1000 and has more"
                            + " while sends end quickly. 1 to 100000.",
                    RelayBuilder::maxInFlight),
            Setting.of(
                    "max-in-flight-per-key",
                    ValueFormat.NUMBER,
                    "How many messages of a key may be in flight to a destination that keeps their order, as Kafka"
                            + " does. 1 to 100000.",
                    RelayBuilder::maxInFlightPerKey),
            Setting.of(
                    "max-in-flight-bytes",
                    ValueFormat.SIZE_FORM,
                    "How many payload bytes may be in flight to each destination; memory use is about twice that. 1KiB"
                            + " to 4GiB.",
                    RelayBuilder::maxInFlightBytes),
            Setting.of(
                    "lease",
                    ValueFormat.DURATION_FORM,
                    "How long a lane stays with a relay that has died. 500ms to 1h.",
                    RelayBuilder::lease),
            Setting.of(
                    "delivery-timeout",
                    ValueFormat.DURATION_FORM,
                    "half of the lease",
                    "Maximum time for a send to report its outcome. 10ms to 30m.",
                    RelayBuilder::deliveryTimeout),
            Setting.of(
                    "min-poll-interval",
                    ValueFormat.DURATION_FORM,
                    "How soon to look again after the first empty look. 1ms to 1h.",
                    RelayBuilder::minPollInterval),
            Setting.of(
                    "max-poll-interval",
                    ValueFormat.DURATION_FORM,
                    "How long the pauses between empty looks may grow. 1ms to 1h.",
                    RelayBuilder::maxPollInterval),
            Setting.of(
                    "settle-delay",
                    ValueFormat.DURATION_FORM,
                    "How long an outcome may wait to be recorded together with others. 0 to 10s.",
                    RelayBuilder::settleDelay),
            Setting.of(
                    "housekeeping-interval",
                    ValueFormat.DURATION_FORM,
                    "How often to look for due messages and operators' requests. 10ms to 1h.",
                    RelayBuilder::housekeepingInterval),
            Setting.of(
                    "sweep-interval",
                    ValueFormat.DURATION_FORM,
                    "How often each lane is checked for rows that the scan missed. 10ms to 1d.",
                    RelayBuilder::sweepInterval),
            Setting.of(
                    "close-timeout",
                    ValueFormat.DURATION_FORM,
                    "How long a stop waits for what is in flight. 0 to 1h.",
                    RelayBuilder::closeTimeout));

    private RelaySettings() {}

    private static Backoff backoff(String text) {
        String[] words = text.split("\\s+");
        return switch (words[0] + " " + words.length) {
            case "constant 2" -> Backoff.constant(time(words[1]));
            case "linear 3" -> Backoff.linear(time(words[1]), time(words[2]));
            case "exponential 3" -> Backoff.exponential(time(words[1]), time(words[2]));
            case "exponential 4" ->
                Backoff.exponential(time(words[1]), time(words[2]), ValueFormat.FRACTION.parse(words[3]));
            default ->
                throw new IllegalArgumentException("is '" + text
                        + "', expected for example 'constant 1s', 'linear 1s 1m' or 'exponential 200ms 5m'");
        };
    }

    private static Duration time(String text) {
        return ValueFormat.DURATION_FORM.parse(text);
    }
}
