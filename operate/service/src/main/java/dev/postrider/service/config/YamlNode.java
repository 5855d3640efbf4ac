package dev.postrider.service.config;

import java.util.List;
import java.util.Map;

/** One value of a YAML file with the place where it stands. */
sealed interface YamlNode {

    Place place();

    /** A text, a number, a flag: all are read as the text that stands in the file, with the environment filled in. */
    record Text(Place place, String value) implements YamlNode {}

    /** A list. */
    record Items(Place place, List<YamlNode> items) implements YamlNode {}

    /** Keys with values, in the order of the file. */
    record Keys(Place place, Map<String, YamlNode> values) implements YamlNode {}

    /** A key without a value. */
    record Nothing(Place place) implements YamlNode {}
}
