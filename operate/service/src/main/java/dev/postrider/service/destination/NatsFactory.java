package dev.postrider.service.destination;

import dev.postrider.destination.nats.NatsDestination;
import dev.postrider.destination.nats.NatsDestinationBuilder;
import dev.postrider.internal.Internal;
import dev.postrider.service.config.Section;
import dev.postrider.service.config.Setting;
import dev.postrider.service.config.ValueFormat;
import dev.postrider.spi.Destination;
import java.util.ArrayList;
import java.util.List;

/** NATS JetStream: each key is one call of {@link NatsDestinationBuilder}. */
@Internal
public final class NatsFactory implements DestinationFactory {

    private static final List<Setting<NatsDestinationBuilder>> SETTINGS = List.of(
            Setting.of(
                    "servers",
                    ValueFormat.ADDRESS,
                    "The URLs of the servers, separated by commas; `tls://` encrypts as `tls` does.",
                    (NatsDestinationBuilder builder, String text) -> builder.servers(text.split("\\s*,\\s*"))),
            Setting.flag(
                    "tls", "Encrypts, and checks the server's certificate and host name.", NatsDestinationBuilder::tls),
            Setting.of(
                    "expected-stream",
                    ValueFormat.TEXT,
                    "any stream",
                    "The stream that must take the messages; if the subject belongs to another one, the message fails.",
                    NatsDestinationBuilder::expectedStream),
            Setting.flag(
                    "allow-internal-topics",
                    "Sends also to subjects that begin with `$` or `_INBOX.`, which are orders to the server; else such messages are rejected.",
                    NatsDestinationBuilder::allowInternalTopics),
            Setting.of(
                    "source",
                    ValueFormat.TEXT,
                    "The CloudEvents source of messages that name none.",
                    NatsDestinationBuilder::source),
            Setting.of(
                    "max-in-flight",
                    ValueFormat.NUMBER,
                    "How many messages may be on their way at once. 1 to 100000.",
                    NatsDestinationBuilder::maxInFlight),
            Setting.of(
                    "delivery-timeout",
                    ValueFormat.DURATION_FORM,
                    "How long a send may take, connecting included; at most the relay's. 100ms to 30m.",
                    NatsDestinationBuilder::deliveryTimeout),
            Setting.of(
                    "connect-timeout",
                    ValueFormat.DURATION_FORM,
                    "How long opening a connection may take. 100ms to 1m.",
                    NatsDestinationBuilder::connectTimeout));

    @Override
    public String type() {
        return "nats";
    }

    @Override
    public String meaning() {
        return "NATS JetStream; a message is delivered when a stream has acknowledged it.";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>(Key.of(SETTINGS));
        keys.addAll(1, Account.keys());
        return keys;
    }

    @Override
    public Destination create(String name, Section section) {
        NatsDestinationBuilder builder = NatsDestination.builder(name);
        section.applyTo(builder, SETTINGS);
        Account.read(section)
                .ifPresent(account ->
                        builder.credentials(account.user(), account.password().reveal()));
        return builder.build();
    }
}
