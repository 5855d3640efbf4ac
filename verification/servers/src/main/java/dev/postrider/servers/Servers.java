package dev.postrider.servers;

import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Starts servers by name, with what the class path offers. Stateless. */
public final class Servers {

    private static final String DATABASE_ADDRESSES = "jdbc:postgresql://host:5432/name";
    private static final String BROKER_ADDRESSES =
            "kafka://host:9092, amqp://user:password@host:5672 or nats://host:4222";

    private Servers() {}

    /**
     * Starts a database.
     *
     * @throws IllegalArgumentException if nobody here can; it says who can, or which address to give
     */
    public static StartedDatabase startDatabase(String name, ServerProfile profile) {
        return starter("store", name, ServerStarter::databases, DATABASE_ADDRESSES)
                .startDatabase(name, profile);
    }

    /**
     * Starts a broker.
     *
     * @throws IllegalArgumentException if nobody here can; it says who can, or which address to give
     */
    public static StartedBroker startBroker(String name) {
        return starter("destination", name, ServerStarter::brokers, BROKER_ADDRESSES)
                .startBroker(name);
    }

    private static ServerStarter starter(
            String option, String name, Function<ServerStarter, Set<String>> known, String addresses) {
        List<ServerStarter> starters = ServiceLoader.load(ServerStarter.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        return starters.stream()
                .filter(starter -> known.apply(starter).contains(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No server can be started for --%s %s. %s such as %s%s"
                        .formatted(option, name, offer(starters, known), addresses, hint(starters))));
    }

    private static String offer(List<ServerStarter> starters, Function<ServerStarter, Set<String>> known) {
        if (starters.isEmpty()) {
            return "This program starts none, give an address";
        }
        return starters.stream()
                .flatMap(starter -> known.apply(starter).stream())
                .sorted()
                .collect(Collectors.joining(", ", "Give one of ", ", or an address"));
    }

    private static String hint(List<ServerStarter> starters) {
        return starters.isEmpty() ? "; ./postrider in a checkout starts servers" : "";
    }
}
