package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.BuiltinExchangeType;
import dev.postrider.spi.ReceiverException;
import dev.postrider.spi.Subscription;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Which exchanges the queue is bound to.
 *
 * @param bindsTypes each subscribed type {@code <service>.<event>}: to the exchange of its topic, by default {@code <service>}, with the
 *     routing key {@code <event>}
 * @param topics of listed events, by their types; bound as well if everything is subscribed
 * @param others further ones, whatever is subscribed
 * @param declared the exchanges that are declared first, those to bind to among them or not
 */
record EventBindings(boolean bindsTypes, Map<String, String> topics, List<Binding> others, DeclaredExchanges declared) {

    /** One exchange and routing key. */
    record Binding(String exchange, String routingKey) implements Comparable<Binding> {

        static Binding ofType(String type, Optional<String> topic) {
            int dot = type.lastIndexOf('.');
            if (topic.isPresent()) {
                return new Binding(topic.get(), type.substring(dot + 1));
            }
            if (dot < 1 || dot == type.length() - 1) {
                throw new ReceiverException(
                        "Event type '%s' names no exchange and routing key: expected <service>.<event>"
                                .formatted(type));
            }
            return new Binding(type.substring(0, dot), type.substring(dot + 1));
        }

        @Override
        public int compareTo(Binding other) {
            int byExchange = exchange.compareTo(other.exchange);
            return byExchange != 0 ? byExchange : routingKey.compareTo(other.routingKey);
        }
    }

    void declare(TopologySteps steps, String queue, Subscription subscription) {
        Set<Binding> all = all(subscription);
        Set<String> exchanges = new TreeSet<>(declared.atOnce());
        if (declared.ifMissing()) {
            all.forEach(binding -> exchanges.add(binding.exchange()));
        }
        exchanges.forEach(exchange -> steps.exchange(exchange, BuiltinExchangeType.TOPIC));
        all.forEach(binding -> steps.bind(queue, binding.exchange(), binding.routingKey()));
    }

    private Set<Binding> all(Subscription subscription) {
        Set<String> types = subscription.types().isEmpty() ? topics.keySet() : subscription.types();
        if (bindsTypes && types.isEmpty() && others.isEmpty()) {
            throw new ReceiverException(
                    "Subscriber %s wants all events, which names no exchange to bind to: say it with bindTo(exchange, \"#\"), or list them with bindEvents(SERVICES)"
                            .formatted(subscription.subscriber()));
        }
        Stream<Binding> ofTypes = bindsTypes
                ? types.stream().map(type -> Binding.ofType(type, topicOf(type, subscription)))
                : Stream.of();
        return Stream.concat(ofTypes, others.stream()).collect(TreeSet::new, TreeSet::add, TreeSet::addAll);
    }

    private Optional<String> topicOf(String type, Subscription subscription) {
        return Optional.ofNullable(topics.get(type)).or(() -> subscription.topicOf(type));
    }
}
