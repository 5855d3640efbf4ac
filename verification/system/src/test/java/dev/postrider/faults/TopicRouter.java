package dev.postrider.faults;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.DestinationRouter;
import dev.postrider.spi.Destination;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Leads each message to the destination that is named like its topic; a single destination gets everything. */
record TopicRouter(List<Destination> all) implements DestinationRouter {

    static TopicRouter of(RelaySettings settings) {
        List<Destination> destinations = new ArrayList<>();
        settings.destinations()
                .forEach((topic, port) -> destinations.add(
                        new BrokerDestination(topic, settings.name(), port, settings.deliveryTimeout())));
        return new TopicRouter(destinations);
    }

    @Override
    public Destination route(OutboxMessage message) {
        return all.stream()
                .filter(destination -> all.size() == 1 || destination.name().equals(message.topic()))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public boolean isDecidedByTopic() {
        return true;
    }

    @Override
    public Collection<Destination> destinations() {
        return all;
    }
}
