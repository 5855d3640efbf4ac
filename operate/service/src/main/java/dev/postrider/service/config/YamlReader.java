package dev.postrider.service.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Turns the text of a YAML file into nodes that know their lines. */
final class YamlReader {

    /** Far more than any file needs: a few aliases of aliases can stand for any number of values. */
    private static final int MOST_NODES = 100_000;

    private final String file;
    private final Variables variables;
    private int nodes;

    YamlReader(String file, Variables variables) {
        this.file = file;
        this.variables = variables;
    }

    YamlNode.Keys read(String yaml) {
        Place start = new Place(file, 1, "");
        YamlNode root = compose(yaml, start);
        if (root instanceof YamlNode.Keys keys) {
            return keys;
        }
        throw start.refuse(root instanceof YamlNode.Nothing ? "the file is empty" : "expected keys with values");
    }

    private YamlNode compose(String yaml, Place start) {
        try {
            LoadSettings settings = LoadSettings.builder().setLabel(file).build();
            return new Composer(settings, new ParserImpl(settings, new StreamReader(settings, yaml)))
                    .getSingleNode()
                    .map(node -> convert(node, start))
                    .orElseGet(() -> new YamlNode.Nothing(start));
        } catch (MarkedYamlEngineException broken) {
            int line = broken.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            throw new Place(file, line, "").refuse("this is not YAML: " + broken.getProblem());
        } catch (StackOverflowError nested) {
            throw start.refuse("the file is nested too deeply; nothing in it needs more than a few levels");
        } catch (YamlEngineException broken) {
            throw start.refuse("this is not YAML: " + broken.getMessage());
        }
    }

    private YamlNode convert(Node node, Place place) {
        if (node.isRecursive()) {
            throw place.refuse("refers to itself");
        }
        if (++nodes > MOST_NODES) {
            throw new Place(file, place.line(), "").refuse("the file has more than 100,000 values, aliases included");
        }
        if (node instanceof MappingNode mapping) {
            return keys(mapping, place);
        }
        if (node instanceof SequenceNode sequence) {
            return items(sequence, place);
        }
        ScalarNode scalar = (ScalarNode) node;
        return scalar.getTag().equals(Tag.NULL)
                ? new YamlNode.Nothing(place)
                : new YamlNode.Text(place, variables.fillIn(scalar.getValue(), place));
    }

    private YamlNode.Keys keys(MappingNode mapping, Place place) {
        Map<String, YamlNode> values = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            Place child = place.child(name(tuple.getKeyNode(), place), line(tuple.getKeyNode(), place));
            String name = name(tuple.getKeyNode(), place);
            YamlNode value = convert(tuple.getValueNode(), child);
            YamlNode before = values.putIfAbsent(name, value);
            if (before != null) {
                throw child.refuse(
                        "is set twice; the first time in line " + before.place().line());
            }
        }
        return new YamlNode.Keys(place, values);
    }

    private static String name(Node key, Place place) {
        if (key instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw place.refuse("a key must be a plain word");
    }

    private YamlNode.Items items(SequenceNode sequence, Place place) {
        List<YamlNode> items = new ArrayList<>();
        for (Node item : sequence.getValue()) {
            String path = place.path() + "[" + items.size() + "]";
            items.add(convert(item, new Place(file, line(item, place), path)));
        }
        return new YamlNode.Items(place, items);
    }

    private static int line(Node node, Place otherwise) {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(otherwise.line());
    }
}
