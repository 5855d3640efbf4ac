package dev.postrider.spring.boot;

import dev.postrider.service.FileWords;
import dev.postrider.service.config.ConfigException;
import dev.postrider.service.config.PropertyTree;
import dev.postrider.service.config.Section;
import dev.postrider.spring.boot.SpringSettings.Key;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Reads all properties below a name from Spring's environment as the sections of a configuration file: in any of the spellings that Boot
 * allows, with the origin of each value, and with lists taken from one source as a whole.
 *
 * <p>Variables of the operating system that are no keys are left out, as Boot does: for a service {@code postrider-relay} Kubernetes sets
 * {@code POSTRIDER_RELAY_SERVICE_HOST}.
 */
final class EnvironmentReader {

    private final ConfigurableEnvironment environment;
    private final ConfigurationPropertyName root;
    private final PropertyTree tree;
    private final Map<String, String> spellings = spellings();
    private final Set<String> listsBefore = new HashSet<>();

    private EnvironmentReader(ConfigurableEnvironment environment, String root) {
        this.environment = environment;
        this.root = ConfigurationPropertyName.of(root);
        this.tree = new PropertyTree(root);
    }

    static Section read(ConfigurableEnvironment environment, String root) {
        EnvironmentReader reader = new EnvironmentReader(environment, root);
        ConfigurationPropertySources.from(environment.getPropertySources()).forEach(reader::add);
        return reader.tree.section();
    }

    /** A variable of the environment has no hyphens, and a name in Java style has capitals instead: {@code MAXATTEMPTS}. */
    private static Map<String, String> spellings() {
        Map<String, String> spellings = new HashMap<>();
        Stream.of(
                        FileWords.keyNames().stream(),
                        SpringSettings.ALL.stream().map(Key::name),
                        ConsoleProperties.keys().stream(),
                        PostriderProperties.HYPHENATED.stream())
                .flatMap(names -> names)
                .forEach(key -> spellings.put(key.replace("-", ""), key));
        return spellings;
    }

    private void add(ConfigurationPropertySource source) {
        if (source instanceof IterableConfigurationPropertySource names) {
            Set<String> lists = new HashSet<>();
            boolean isForeign = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
            names.stream()
                    .filter(name -> root.isAncestorOf(name) && (!isForeign || isKey(path(name))))
                    .forEach(name -> add(name, names.getConfigurationProperty(name), lists));
            listsBefore.addAll(lists);
        }
    }

    private boolean isKey(List<String> path) {
        boolean isNamedByUser = !PostriderProperties.PARTS.contains(path.get(0));
        return PostriderProperties.keys().contains(path.get(0))
                && (path.size() == 1 || isNamedByUser || spellings.containsValue(path.get(1)));
    }

    private void add(ConfigurationPropertyName name, ConfigurationProperty property, Set<String> lists) {
        List<String> path = path(name);
        for (int i = 0; i < path.size(); i++) {
            if (path.get(i).startsWith("[")) {
                lists.add(String.join(".", path.subList(0, i)));
            }
        }
        if (lists.stream().anyMatch(list -> listsBefore.contains(list) && isBelow(path, list))) {
            return;
        }
        Origin origin = property.getOrigin();
        tree.add(path, value(name, property), origin == null ? "" : origin.toString());
    }

    private static boolean isBelow(List<String> path, String list) {
        return String.join(".", path).startsWith(list + ".[");
    }

    private List<String> path(ConfigurationPropertyName name) {
        List<String> path = new ArrayList<>();
        for (int i = root.getNumberOfElements(); i < name.getNumberOfElements(); i++) {
            String element = name.getElement(i, Form.ORIGINAL);
            path.add(name.isNumericIndex(i) ? "[" + element + "]" : spellings.getOrDefault(uniform(element), element));
        }
        return path;
    }

    private static String uniform(String element) {
        return element.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    private String value(ConfigurationPropertyName name, ConfigurationProperty property) {
        try {
            return environment.resolveRequiredPlaceholders(String.valueOf(property.getValue()));
        } catch (IllegalArgumentException unresolved) {
            throw new ConfigException(name + ": " + unresolved.getMessage(), unresolved);
        }
    }
}
