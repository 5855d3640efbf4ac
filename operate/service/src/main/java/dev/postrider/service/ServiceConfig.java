package dev.postrider.service;

import dev.postrider.internal.Internal;
import dev.postrider.service.config.ConfigException;
import dev.postrider.service.config.ConfigFile;
import dev.postrider.service.config.NearestName;
import dev.postrider.service.config.Section;
import dev.postrider.service.config.Setting;
import dev.postrider.service.console.ConsoleSettings;
import dev.postrider.spi.Destination;
import dev.postrider.spi.TraceContext;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A configuration file, read and checked: outboxes, destinations, and where the service answers. Immutable.
 *
 * <pre>{@code
 * ServiceConfig config = ServiceConfig.load(Path.of("postrider.yaml"), System.getenv());
 * }</pre>
 */
public final class ServiceConfig {

    private final HttpSettings http;
    private final Optional<ConsoleSettings> console;
    private final TraceContext tracing;
    private final DestinationSections destinations;
    private final Map<String, OutboxConfig> outboxes;

    private ServiceConfig(Section file) {
        // What stands in 'options' is for the command line, which checks it.
        file.allow(List.of("http", "console", "tracing", "destinations", "outboxes", "options"));
        this.http = http(file);
        this.console = console(file);
        this.tracing = file.section("tracing").map(TracingSettings::read).orElse(TraceContext.NONE);
        this.destinations = new DestinationSections(file.sections("destinations"));
        this.outboxes = new LinkedHashMap<>();
        file.sections("outboxes")
                .forEach((name, section) -> outboxes.put(name, OutboxConfig.read(section, destinations.names())));
        if (outboxes.isEmpty()) {
            throw file.refuse("'outboxes' is missing or empty");
        }
        destinations.checkUse(outboxes.values());
    }

    /**
     * Reads the file.
     *
     * @param environment where <code>${NAME}</code> is looked up
     * @throws ConfigException for any mistake, with its line
     */
    public static ServiceConfig load(Path file, Map<String, String> environment) {
        return new ServiceConfig(ConfigFile.read(file, environment));
    }

    private static HttpSettings http(Section file) {
        HttpSettings.Builder builder = new HttpSettings.Builder();
        file.section("http").ifPresent(section -> {
            section.allow(Setting.names(HttpSettings.SETTINGS));
            section.applyTo(builder, HttpSettings.SETTINGS);
        });
        return builder.build();
    }

    private static Optional<ConsoleSettings> console(Section file) {
        return file.section("console").map(section -> {
            ConsoleSettings.Builder builder = new ConsoleSettings.Builder();
            section.allow(Setting.names(ConsoleSettings.SETTINGS));
            section.applyTo(builder, ConsoleSettings.SETTINGS);
            return builder.build();
        });
    }

    /** What the file says of the console; without the section there is none. */
    @Internal
    public Optional<ConsoleSettings> console() {
        return console;
    }

    /** What makes spans of sends; without the section nothing does. */
    TraceContext tracing() {
        return tracing;
    }

    HttpSettings http() {
        return http;
    }

    /** All outboxes, in the order of the file. */
    public List<OutboxConfig> outboxes() {
        return List.copyOf(outboxes.values());
    }

    /** The outbox with this name. */
    public OutboxConfig outbox(String name) {
        OutboxConfig found = outboxes.get(name);
        if (found == null) {
            throw new ConfigException("There is no outbox '" + name + "' in the file"
                    + NearestName.of(name, outboxes.keySet())
                            .map(nearest -> "; did you mean '" + nearest + "'?")
                            .orElse("; it has " + outboxes.keySet()));
        }
        return found;
    }

    /** In the order of the file. */
    public Set<String> outboxNames() {
        return Collections.unmodifiableSet(outboxes.keySet());
    }

    /** Makes the destinations of these outboxes, hands over one after the other, and closes them. */
    public void withDestinations(Collection<String> wanted, Consumer<Destination> action) {
        Map<String, Destination> created =
                destinations.create(wanted.stream().map(this::outbox).toList());
        try {
            created.values().forEach(action);
        } finally {
            created.values().forEach(Destination::close);
        }
    }

    /** Makes the destinations that outboxes need, by name. They connect by themselves; the caller closes them. */
    Map<String, Destination> createDestinations() {
        return destinations.create(outboxes.values());
    }
}
