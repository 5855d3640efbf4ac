package dev.postrider.service;

import static java.util.Objects.requireNonNull;

import dev.postrider.internal.Internal;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.DestinationRouter;
import dev.postrider.service.config.NearestName;
import dev.postrider.service.config.Section;
import dev.postrider.spi.Destination;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which destination each topic of an outbox goes to: the first route whose pattern matches. Immutable.
 *
 * <p>By topic alone, so that a message never changes its way.
 */
public final class Routes {

    private record Route(TopicPattern topic, String destination) {}

    private final List<Route> routes;

    private Routes(List<Route> routes) {
        this.routes = List.copyOf(routes);
    }

    /** From {@code routes} and {@code destination}, which takes what no route takes. */
    static Routes read(Section outbox, Collection<String> destinations) {
        List<Route> routes = new ArrayList<>();
        for (Section route : outbox.list("routes")) {
            route.allow(List.of("topic", "destination"));
            routes.add(new Route(TopicPattern.of(route.requireText("topic")), known(route, destinations)));
        }
        if (outbox.has("destination")) {
            routes.add(new Route(TopicPattern.of("*"), known(outbox, destinations)));
        } else if (routes.isEmpty() && destinations.size() == 1) {
            routes.add(new Route(TopicPattern.of("*"), destinations.iterator().next()));
        }
        if (routes.stream().noneMatch(route -> route.topic().matchesAll())) {
            throw outbox.refuse("'destination' is missing: it takes what no route takes");
        }
        return new Routes(routes);
    }

    private static String known(Section section, Collection<String> destinations) {
        String name = section.requireText("destination");
        if (!destinations.contains(name)) {
            throw section.refuse(
                    "destination",
                    "there is no destination '" + name + "'"
                            + NearestName.of(name, destinations)
                                    .map(nearest -> "; did you mean '" + nearest + "'?")
                                    .orElse("; the file has " + destinations));
        }
        return name;
    }

    /** The name of the destination for this topic. */
    public String destinationOf(String topic) {
        return routes.stream()
                .filter(route -> route.topic().matches(topic))
                .findFirst()
                .orElseThrow()
                .destination();
    }

    /** The topics of all routes, in which {@code *} stands for any letters, with their destinations; the first that matches decides. */
    public Map<String, String> patterns() {
        Map<String, String> patterns = new LinkedHashMap<>();
        routes.forEach(route -> patterns.putIfAbsent(route.topic().text(), route.destination()));
        return patterns;
    }

    /** Topics that a route names without {@code *}. */
    public List<String> exactTopics() {
        return routes.stream()
                .map(route -> route.topic().text())
                .filter(topic -> !topic.contains("*"))
                .toList();
    }

    /** The same with the destinations themselves. */
    @Internal
    public DestinationRouter router(Map<String, Destination> byName) {
        List<Destination> all = destinations().stream().map(byName::get).toList();
        return new DestinationRouter() {
            @Override
            public Destination route(OutboxMessage message) {
                return requireNonNull(byName.get(destinationOf(message.topic())));
            }

            @Override
            public Collection<Destination> destinations() {
                return all;
            }
        };
    }

    /** All destinations that this outbox may need. */
    public Set<String> destinations() {
        Set<String> names = new LinkedHashSet<>();
        routes.forEach(route -> names.add(route.destination()));
        return names;
    }

    /** A topic in which {@code *} stands for any letters. Immutable. */
    private record TopicPattern(String text, Pattern pattern) {

        static TopicPattern of(String text) {
            String quoted = Pattern.quote(text).replace("*", "\\E.*\\Q");
            return new TopicPattern(text, Pattern.compile(quoted, Pattern.DOTALL));
        }

        boolean matches(String topic) {
            return pattern.matcher(topic).matches();
        }

        boolean matchesAll() {
            return text.equals("*");
        }
    }
}
