package dev.postrider.spring.boot;

import dev.postrider.internal.Internal;
import dev.postrider.service.EmbeddedConfig;
import dev.postrider.service.config.Section;
import dev.postrider.service.config.ValueFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * What stands below {@code postrider} in the environment, checked. Immutable.
 *
 * @param settings by name of the outbox
 */
@Internal
public record PostriderProperties(EmbeddedConfig config, Map<String, SpringSettings> settings, Section subscribers) {

    static final String ROOT = "postrider";
    private static final String ENABLED = "enabled";
    private static final String SUBSCRIBERS = "subscribers";
    private static final String HANDLERS = "handlers";
    private static final String JPA = "jpa";
    private static final String TRACING = "tracing";
    private static final String SEND_AS_CHILD = "send-as-child";
    private static final String CREATE_SPANS = "create-spans";
    private static final String METRICS = "metrics";
    private static final String MESSAGING_CONVENTIONS = "messaging-conventions";

    /** The keys with a hyphen that neither an outbox nor the configuration file has. */
    static final List<String> HYPHENATED = List.of(SEND_AS_CHILD, CREATE_SPANS, MESSAGING_CONVENTIONS);

    /** Sections whose keys are known. In the others the user names something first. */
    static final Set<String> PARTS =
            Set.of("relay", "cleanup", "partitions", HANDLERS, JPA, TRACING, METRICS, ConsoleProperties.CONSOLE);

    /** What may stand below {@code postrider}. */
    static Set<String> keys() {
        Set<String> keys = EmbeddedConfig.keys();
        keys.addAll(List.of(ENABLED, SUBSCRIBERS, HANDLERS, JPA, TRACING, METRICS, ConsoleProperties.CONSOLE));
        SpringSettings.paths().forEach(keys::add);
        return keys;
    }

    static PostriderProperties read(ConfigurableEnvironment environment) {
        Section all = EnvironmentReader.read(environment, ROOT);
        all.section(TRACING).ifPresent(tracing -> tracing.allow(List.of(ENABLED, SEND_AS_CHILD, CREATE_SPANS)));
        all.section(METRICS).ifPresent(metrics -> metrics.allow(List.of(MESSAGING_CONVENTIONS)));
        all.section(HANDLERS).ifPresent(handlers -> handlers.allow(List.of(ENABLED)));
        Section root =
                all.without(List.of(ENABLED, SUBSCRIBERS, HANDLERS, TRACING, METRICS, ConsoleProperties.CONSOLE));
        Map<String, SpringSettings> settings = new LinkedHashMap<>();
        EmbeddedConfig.sections(root).forEach((name, section) -> settings.put(name, SpringSettings.read(section)));
        List<String> foreign = new ArrayList<>(SpringSettings.paths());
        foreign.add(JPA);
        return new PostriderProperties(EmbeddedConfig.read(root, foreign), settings, all);
    }

    /** The names of the outboxes, without a look at anything else. */
    static Set<String> outboxNames(ConfigurableEnvironment environment) {
        return EnvironmentReader.read(environment, ROOT).sections("outboxes").keySet();
    }

    SpringSettings settings(String outbox) {
        SpringSettings found = settings.get(outbox);
        if (found == null) {
            throw new IllegalArgumentException("There is no outbox '" + outbox + "', only " + settings.keySet());
        }
        return found;
    }

    /** Whether the span of a send is a child of the one in which its message was written. */
    boolean sendsAsChild() {
        return isSet(TRACING, SEND_AS_CHILD);
    }

    /** Whether the writing of each message is a span. */
    boolean createsSpans() {
        return isSet(TRACING, CREATE_SPANS);
    }

    /** Whether there are the meters of OpenTelemetry's messaging conventions too. */
    boolean hasMessagingConventions() {
        return isSet(METRICS, MESSAGING_CONVENTIONS);
    }

    private boolean isSet(String section, String key) {
        return subscribers
                .section(section)
                .flatMap(found -> new SpringSettings.Key<>(key, ValueFormat.FLAG, "false", "").read(found))
                .orElse(false);
    }

    /** The section of each subscriber by its name. */
    Map<String, Section> subscriberSections() {
        return subscribers.sections(SUBSCRIBERS);
    }
}
