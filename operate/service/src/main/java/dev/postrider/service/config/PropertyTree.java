package dev.postrider.service.config;

import dev.postrider.internal.Internal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Configuration that comes as single values with dotted names, as frameworks have it, put together to the sections of a file. Not
 * thread-safe.
 *
 * <pre>{@code
 * tree.add(List.of("relay", "workers"), "4", "application.yaml 3:12");
 * tree.add(List.of("routes", "[0]", "topic"), "orders.*", "application.yaml 7:5");
 * }</pre>
 */
@Internal
public final class PropertyTree {

    private final Branch root;

    /** @param path what all names begin with, for messages */
    public PropertyTree(String path) {
        this.root = new Branch(new Place("", 0, path));
    }

    /**
     * Adds a value. What is there already stays: give the most important first.
     *
     * @param path a part in brackets is the position in a list
     * @param origin where the value was found; may be empty
     */
    public void add(List<String> path, String value, String origin) {
        Branch branch = root;
        for (String part : path.subList(0, path.size() - 1)) {
            branch = branch.below(part, origin);
        }
        branch.put(path.get(path.size() - 1), value, origin);
    }

    public Section section() {
        return new Section(root.keys());
    }

    /** A part with others below it. */
    private static final class Branch {

        private final Place place;
        private final Map<String, YamlNode> values = new LinkedHashMap<>();
        private final Map<String, Branch> branches = new LinkedHashMap<>();

        Branch(Place place) {
            this.place = place;
        }

        private Place placeOf(String part, String origin) {
            String separator = isPosition(part) ? "" : ".";
            return new Place(origin, 0, place.path() + separator + part);
        }

        Branch below(String part, String origin) {
            return branches.computeIfAbsent(part, name -> new Branch(placeOf(name, origin)));
        }

        void put(String part, String value, String origin) {
            Place where = placeOf(part, origin);
            values.putIfAbsent(part, value.isEmpty() ? new YamlNode.Nothing(where) : new YamlNode.Text(where, value));
        }

        private YamlNode node() {
            Map<String, YamlNode> all = all();
            return all.keySet().stream().allMatch(Branch::isPosition)
                    ? new YamlNode.Items(place, List.copyOf(all.values()))
                    : new YamlNode.Keys(place, all);
        }

        YamlNode.Keys keys() {
            return new YamlNode.Keys(place, all());
        }

        /** An empty value beside others below it says nothing. */
        private Map<String, YamlNode> all() {
            Map<String, YamlNode> all = new LinkedHashMap<>(values);
            branches.forEach((part, branch) -> all.put(part, branch.node()));
            return all;
        }

        private static boolean isPosition(String part) {
            return part.startsWith("[");
        }
    }
}
