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
                    "localhost",
                    "The nodes, each `host` or `host:port`, separated by commas.",
                    (RabbitmqDestinationBuilder builder, String text) -> builder.addresses(text.split("\\s*,\\s*"))),
            Setting.of(
                    "virtual-host",
                    ValueFormat.TEXT,
                    "/",
                    "The virtual host.",
                    RabbitmqDestinationBuilder::virtualHost),
            Setting.of(
                    "tls",
                    ValueFormat.FLAG,
                    "false",
                    "Encrypts, and checks the broker's certificate and host name.",
                    (RabbitmqDestinationBuilder builder, Boolean isOn) -> {
                        if (isOn) {
                            builder.tls();
                        }
                    }),
            Setting.of(
                    "event-mode",
                    ValueFormat.choice(EventMode.class),
                    "binary",
                    "How messages look at the broker, as CloudEvents.",
                    RabbitmqDestinationBuilder::eventMode),
            Setting.of(
                    "source",
                    ValueFormat.TEXT,
                    "/postrider",
                    "The CloudEvents source of messages that name none.",
                    RabbitmqDestinationBuilder::source),
            Setting.of(
                    "exchange-from-type",
                    ValueFormat.FLAG,
                    "false",
                    "The exchange is the message's type up to the last dot, instead of its topic.",
                    (RabbitmqDestinationBuilder builder, Boolean isOn) -> {
                        if (isOn) {
                            builder.exchangeFromType();
                        }
                    }),
            Setting.of(
                    "routing-key",
                    ValueFormat.TEXT,
                    "the type after its last dot",
                    "The same routing key for all messages.",
                    (RabbitmqDestinationBuilder builder, String key) -> builder.routingKey(key)),
            Setting.of(
                    "declare-exchanges",
                    ValueFormat.FLAG,
                    "false",
                    "Declares an exchange that is missing, as a durable topic exchange.",
                    (RabbitmqDestinationBuilder builder, Boolean isOn) -> {
                        if (isOn) {
                            builder.declareExchanges();
                        }
                    }),
            Setting.of(
                    "allow-internal-topics",
                    ValueFormat.FLAG,
                    "false",
                    "Sends also to the default exchange and to those that begin with `amq.`; else such messages are rejected.",
                    (RabbitmqDestinationBuilder builder, Boolean isOn) -> {
                        if (isOn) {
                            builder.allowInternalTopics();
                        }
                    }),
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
                    "4",
                    "How many channels share the connection. 1 to 64.",
                    RabbitmqDestinationBuilder::channels),
            Setting.of(
                    "max-in-flight",
                    ValueFormat.NUMBER,
                    "2000",
                    "How many messages may be on their way at once. 1 to 100000.",
                    RabbitmqDestinationBuilder::maxInFlight),
            Setting.of(
                    "max-payload-bytes",
                    ValueFormat.SIZE_FORM,
                    "128MiB",
                    "A larger payload is rejected before it is sent. Set it to the broker's `max_message_size`.",
                    (RabbitmqDestinationBuilder builder, Long bytes) ->
                            builder.maxPayloadBytes((int) Math.min(bytes, Integer.MAX_VALUE))),
            Setting.of(
                    "delivery-timeout",
                    ValueFormat.DURATION_FORM,
                    "8s",
                    "How long a send may take, connecting included; at most the relay's. 100ms to 30m.",
                    RabbitmqDestinationBuilder::deliveryTimeout),
            Setting.of(
                    "connect-timeout",
                    ValueFormat.DURATION_FORM,
                    "3s",
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
        keys.addAll(2, Account.keys("guest"));
        return keys;
    }

    @Override
    public Destination create(String name, Section section) {
        RabbitmqDestinationBuilder builder = RabbitmqDestination.builder(name);
        section.applyTo(builder, SETTINGS);
        Account.read(section)
                .ifPresent(account ->
                        builder.credentials(account.user(), account.password().reveal()));
        return builder.build();
    }
}
