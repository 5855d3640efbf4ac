package dev.postrider.relay;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Destination;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Leads messages to one of several destinations by their topic or by one of their headers.
 *
 * <p>The relay keeps an eye on each destination by itself: an outage or pause of one does not stop the others, and order is kept
 * per key and destination. A value is looked up exactly first, then by the longest prefix that was given with a {@code *} at its
 * end. Immutable and thread-safe.
 *
 * <pre>{@code
 * Relay relay = Relay.builder(store, RoutingTable.byTopic()
 *                 .route("billing.*", rabbit)
 *                 .otherwise(kafka))
 *         .build();
 * }</pre>
 */
public final class RoutingTable implements DestinationRouter {

    private final Function<OutboxMessage, Optional<String>> value;
    private final boolean isByTopic;
    private final String what;
    private final Map<String, Destination> exact;
    private final Map<String, Destination> prefixes;
    private final Optional<Destination> otherwise;
    private final Set<Destination> destinations;

    private RoutingTable(Builder builder, Optional<Destination> otherwise) {
        this.value = builder.value;
        this.isByTopic = builder.isByTopic;
        this.what = builder.what;
        this.exact = Map.copyOf(builder.exact);
        this.prefixes = longestFirst(builder.prefixes);
        this.otherwise = otherwise;
        Set<Destination> all = new LinkedHashSet<>(builder.destinations);
        otherwise.ifPresent(all::add);
        this.destinations = Collections.unmodifiableSet(all);
    }

    private static Map<String, Destination> longestFirst(Map<String, Destination> prefixes) {
        Map<String, Destination> sorted =
                new TreeMap<>(Comparator.comparing(String::length).reversed().thenComparing(Comparator.naturalOrder()));
        sorted.putAll(prefixes);
        return Collections.unmodifiableMap(sorted);
    }

    /** Starts a table that routes by the message's topic. */
    public static Builder byTopic() {
        return new Builder(message -> Optional.of(message.topic()), true, "topic");
    }

    /**
     * Starts a table that routes by the value of a header; a message without it goes where all others go. On stores that read from
     * the head of the outbox (H2), many messages for a destination that is down slow down the others: prefer topics there.
     */
    public static Builder byHeader(String name) {
        Objects.requireNonNull(name, "name");
        return new Builder(message -> message.headers().get(name), false, "header " + name);
    }

    /**
     * Where the message goes.
     *
     * @throws IllegalArgumentException if no route fits and others are rejected; the message becomes a dead letter
     */
    @Override
    public Destination route(OutboxMessage message) {
        Optional<String> found = value.apply(message);
        return found.flatMap(this::match)
                .or(() -> otherwise)
                .orElseThrow(() -> new IllegalArgumentException("No destination for %s %s; add a route, or otherwise"
                        .formatted(what, found.map(text -> "'" + text + "'").orElse("that is missing"))));
    }

    private Optional<Destination> match(String text) {
        Destination named = exact.get(text);
        if (named != null) {
            return Optional.of(named);
        }
        for (Map.Entry<String, Destination> prefix : prefixes.entrySet()) {
            if (text.startsWith(prefix.getKey())) {
                return Optional.of(prefix.getValue());
            }
        }
        return Optional.empty();
    }

    @Override
    public Collection<Destination> destinations() {
        return destinations;
    }

    @Override
    public boolean isDecidedByTopic() {
        return isByTopic;
    }

    /** Collects routes; each value may be given once. Not thread-safe. */
    public static final class Builder {

        private final Function<OutboxMessage, Optional<String>> value;
        private final boolean isByTopic;
        private final String what;
        private final Map<String, Destination> exact = new HashMap<>();
        private final Map<String, Destination> prefixes = new HashMap<>();
        private final List<Destination> destinations = new ArrayList<>();

        private Builder(Function<OutboxMessage, Optional<String>> value, boolean isByTopic, String what) {
            this.value = value;
            this.isByTopic = isByTopic;
            this.what = what;
        }

        /**
         * Leads a value to a destination.
         *
         * @param pattern the value itself, or its beginning followed by {@code *}
         */
        public Builder route(String pattern, Destination destination) {
            Objects.requireNonNull(destination, "destination");
            boolean isPrefix = pattern.endsWith("*");
            String text = isPrefix ? pattern.substring(0, pattern.length() - 1) : pattern;
            if ((isPrefix ? prefixes : exact).putIfAbsent(text, destination) != null) {
                throw new IllegalArgumentException("There are two routes for " + what + " '" + pattern + "'");
            }
            destinations.add(destination);
            return this;
        }

        /** Everything else goes there. */
        public RoutingTable otherwise(Destination destination) {
            return new RoutingTable(this, Optional.of(destination));
        }

        /** Everything else becomes a dead letter, whose error names the value that led nowhere. */
        public RoutingTable rejectOthers() {
            return new RoutingTable(this, Optional.empty());
        }
    }
}
