package dev.postrider.service.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A part of the configuration file: keys with texts, sections and lists. Immutable.
 *
 * <p>Every method that reads refuses what is not of the form asked for, naming the line.
 */
public final class Section {

    private final YamlNode.Keys keys;

    Section(YamlNode.Keys keys) {
        this.keys = keys;
    }

    /** The last part of the section's path, such as the name of an outbox. */
    public String name() {
        String path = keys.place().path();
        return path.substring(path.lastIndexOf('.') + 1);
    }

    /** Refuses keys that are not among these, with the nearest one that is. */
    public void allow(Collection<String> known) {
        keys.values().forEach((name, node) -> {
            if (!known.contains(name)) {
                throw new Place(
                                node.place().file(),
                                node.place().line(),
                                keys.place().path())
                        .refuse("unknown key '" + name + "'" + NearestName.hint(name, known) + " Known here: "
                                + String.join(", ", known));
            }
        });
    }

    public boolean has(String key) {
        return keys.values().containsKey(key);
    }

    public Optional<String> text(String key) {
        YamlNode node = keys.values().get(key);
        if (node == null || node instanceof YamlNode.Nothing) {
            return Optional.empty();
        }
        if (node instanceof YamlNode.Text text) {
            return Optional.of(text.value());
        }
        throw node.place().refuse("expected a single value");
    }

    public String requireText(String key) {
        return text(key).orElseThrow(() -> refuse("'" + key + "' is missing"));
    }

    /** All keys with their texts, for sections whose keys are not ours; a key may have others below it, joined by dots. */
    public Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        keys.values().forEach((key, node) -> {
            if (node instanceof YamlNode.Keys below) {
                new Section(below).texts().forEach((rest, text) -> texts.put(key + "." + rest, text));
            } else {
                texts.put(key, requireText(key));
            }
        });
        return texts;
    }

    /** The same section without these keys; {@code relay.enabled} is the key {@code enabled} of the section {@code relay}. */
    public Section without(Collection<String> paths) {
        return new Section(without(keys, "", paths));
    }

    private static YamlNode.Keys without(YamlNode.Keys from, String path, Collection<String> paths) {
        Map<String, YamlNode> left = new LinkedHashMap<>();
        from.values().forEach((name, node) -> {
            String below = path + name;
            if (!paths.contains(below)) {
                left.put(name, node instanceof YamlNode.Keys section ? without(section, below + ".", paths) : node);
            }
        });
        return new YamlNode.Keys(from.place(), left);
    }

    public boolean isEmpty() {
        return keys.values().isEmpty();
    }

    /** Its keys, in order. */
    public Set<String> names() {
        return Collections.unmodifiableSet(keys.values().keySet());
    }

    public Optional<Section> section(String key) {
        YamlNode node = keys.values().get(key);
        return node == null ? Optional.empty() : Optional.of(asSection(node));
    }

    /** The sections below this key by their names, in the order of the file. */
    public Map<String, Section> sections(String key) {
        Map<String, Section> sections = new LinkedHashMap<>();
        section(key)
                .ifPresent(parent -> parent.keys.values().forEach((name, node) -> sections.put(name, asSection(node))));
        return sections;
    }

    /** The sections in the list at this key; empty if the key is missing. */
    public List<Section> list(String key) {
        YamlNode node = keys.values().get(key);
        if (node == null || node instanceof YamlNode.Nothing) {
            return List.of();
        }
        if (node instanceof YamlNode.Items items) {
            List<Section> sections = new ArrayList<>();
            items.items().forEach(item -> sections.add(asSection(item)));
            return sections;
        }
        throw node.place().refuse("expected a list, each item beginning with '- '");
    }

    private static Section asSection(YamlNode node) {
        if (node instanceof YamlNode.Keys section) {
            return new Section(section);
        }
        if (node instanceof YamlNode.Nothing) {
            return new Section(new YamlNode.Keys(node.place(), Map.of()));
        }
        throw node.place().refuse("expected keys with values, indented below it");
    }

    /** Calls the builder for every setting that stands in this section. */
    public <B> void applyTo(B builder, List<Setting<B>> settings) {
        settings.forEach(setting -> text(setting.name()).ifPresent(text -> apply(setting, builder, text)));
    }

    private <B> void apply(Setting<B> setting, B builder, String text) {
        try {
            setting.binding().accept(builder, text);
        } catch (IllegalArgumentException | ConfigException wrong) {
            throw refuse(setting.name(), String.valueOf(wrong.getMessage()));
        }
    }

    /** An exception about this section. */
    public ConfigException refuse(String problem) {
        return keys.place().refuse(problem);
    }

    /** An exception about one key of this section. */
    public ConfigException refuse(String key, String problem) {
        YamlNode node = keys.values().get(key);
        Place place = node == null ? keys.place().child(key, keys.place().line()) : node.place();
        return place.refuse(withoutMethod(key, problem));
    }

    /** Builders name their methods; the place says already which key it is. */
    private static String withoutMethod(String key, String problem) {
        String method = Setting.methodOf(key) + " ";
        return problem.startsWith(method) ? problem.substring(method.length()) : problem;
    }
}
