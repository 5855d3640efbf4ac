package dev.postrider.service.destination;

import dev.postrider.internal.Internal;
import dev.postrider.service.config.Section;
import dev.postrider.spi.Destination;
import java.util.List;

/** Destinations that log each message and count it as delivered: to try a configuration without a broker. */
@Internal
public final class LogFactory implements DestinationFactory {

    @Override
    public String type() {
        return "log";
    }

    @Override
    public String meaning() {
        return "Logs id, topic, key and type of each message, never its payload, and counts it as delivered. For trying out.";
    }

    @Override
    public List<Key> keys() {
        return List.of();
    }

    @Override
    public Destination create(String name, Section section) {
        return new LogDestination(name);
    }
}
