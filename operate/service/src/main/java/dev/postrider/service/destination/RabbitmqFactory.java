package dev.postrider.service.destination;

import dev.postrider.destination.rabbitmq.EventMode;
import dev.postrider.destination.rabbitmq.RabbitmqDestination;
import dev.postrider.destination.rabbitmq.RabbitmqDestinationBuilder;
import dev.postrider.internal.Internal;
import dev.postrider.service.config.Section;
import dev.postrider.service.config.Setting;
import dev.postrider.service.config.ValueFormat;
import dev.postrider.spi.Destination;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** RabbitMQ: each key is one call of {@link RabbitmqDestinationBuilder}. */
@Internal
public final class RabbitmqFactory implements DestinationFactory {

    private static final List<Setting<RabbitmqDestinationBuilder>> SETTINGS = List.of(
            Setting.of(
                    "uri",
                    ValueFormat.ADDRESS,
                    "none",
                    "Address, account, virtual host and TLS in one: `amqps://user:${PASSWORD}@host:5671/vhost`.",
                    RabbitmqDestinationBuilder::uri),
            Setting.of(
                    "addresses",
                    ValueFormat.ADDRESS,
                    "The nodes, each `host` or `host:port`, separated by commas.",
                    (RabbitmqDestinationBuilder builder, String text) -> builder.addresses(text.split("\\s*,\\s*"))),
            Setting.of("virtual-host", ValueFormat.TEXT, "The virtual host.", RabbitmqDestinationBuilder::virtualHost),
            Setting.flag(
                    "tls",
                    "Encrypts, and checks the broker's certificate and host name.",
                    RabbitmqDestinationBuilder::tls),
            Setting.of(
                    "event-mode",
                    ValueFormat.choice(EventMode.class),
                    "How messages look at the broker, as CloudEvents.",
                    RabbitmqDestinationBuilder::eventMode),
            Setting.of(
                    "source",
                    ValueFormat.TEXT,
                    "The CloudEvents source of messages that name none.",
                    RabbitmqDestinationBuilder::source),
            Setting.flag(
                    "exchange-from-type",
                    "The exchange is the message's type up to the last dot, instead of its topic.",
                    RabbitmqDestinationBuilder::exchangeFromType),
            Setting.of(
                    "routing-key",
                    ValueFormat.TEXT,
                    "the type after its last dot",
                    "The same routing key for all messages.",
                    (RabbitmqDestinationBuilder builder, String key) -> builder.routingKey(key)),
            Setting.flag(
                    "declare-exchanges",
                    "Declares an exchange that is missing, as a durable topic exchange.",
                    RabbitmqDestinationBuilder::declareExchanges),
            Setting.flag(
                    "allow-internal-topics",
                    "Sends also to the default exchange and to those that begin with `amq.`; else such messages are"
                            + " rejected.",
                    RabbitmqDestinationBuilder::allowInternalTopics),
            Setting.flag(
                    "allow-reordering-on-refusal",
                    "Has many messages of a key on their way at once; where a queue refuses one, later ones of its key pass it.",
                    RabbitmqDestinationBuilder::allowReorderingOnRefusal),
            Setting.of(
                    "queues",
                    ValueFormat.TEXT,
                    "none",
                    "Queues behind the exchanges, separated by commas, that `relay --check` and `doctor` look at.",
                    (RabbitmqDestinationBuilder builder, String text) ->
                            builder.checkedQueues(text.split("\\s*,\\s*"))),
            Setting.of(
                    "channels",
                    ValueFormat.NUMBER,
                    "How many channels share the connection. 1 to 64.",
                    RabbitmqDestinationBuilder::channels),
            Setting.of(
                    "max-in-flight",
                    ValueFormat.NUMBER,
                    "How many messages may be on their way at once. 1 to 100000.",
                    RabbitmqDestinationBuilder::maxInFlight),
            Setting.of(
                    "max-payload-bytes",
                    ValueFormat.SIZE_FORM,
                    "A larger payload is rejected before it is sent. Set it to the broker's `max_message_size`.",
                    (RabbitmqDestinationBuilder builder, Long bytes) ->
                            builder.maxPayloadBytes((int) Math.min(bytes, Integer.MAX_VALUE))),
            Setting.of(
                    "delivery-timeout",
                    ValueFormat.DURATION_FORM,
                    "How long a send may take, connecting included; at most the relay's. 100ms to 30m.",
                    RabbitmqDestinationBuilder::deliveryTimeout),
            Setting.of(
                    "connect-timeout",
                    ValueFormat.DURATION_FORM,
                    "How long opening a connection and each answer of the broker may take. 100ms to 1m.",
                    RabbitmqDestinationBuilder::connectTimeout));

    @Override
    public String type() {
        return "rabbitmq";
    }

    @Override
    public String meaning() {
        return "RabbitMQ, with publisher confirms; a message that no queue takes has failed.";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>(Key.of(SETTINGS));
        keys.addAll(2, Account.keys());
        return keys;
    }

    @Override
    public Destination create(String name, Section section) {
        return create(name, section, builder -> {});
    }

    /** The same with what the application knows of the broker; the section goes before that. */
    public Destination create(String name, Section section, Consumer<RabbitmqDestinationBuilder> known) {
        RabbitmqDestinationBuilder builder = RabbitmqDestination.builder(name);
        known.accept(builder);
        section.applyTo(builder, SETTINGS);
        Account.read(section)
                .ifPresent(account ->
                        builder.credentials(account.user(), account.password().reveal()));
        return builder.build();
    }
}
