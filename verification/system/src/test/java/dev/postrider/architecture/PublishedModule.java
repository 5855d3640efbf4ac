package dev.postrider.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * A module with a jar that users get.
 *
 * @param folder from the root of the repository
 */
record PublishedModule(Path folder, Element pom) {

    static final Path ROOT = Path.of("..", "..");

    static List<PublishedModule> all() {
        return child(pom(ROOT), "modules").stream()
                .flatMap(modules -> children(modules, "module"))
                .map(module -> Path.of(module.getTextContent()))
                .map(folder -> new PublishedModule(folder, pom(ROOT.resolve(folder))))
                .filter(module -> module.property("maven.deploy.skip").isEmpty())
                .filter(module -> child(module.pom, "packaging").isEmpty())
                .toList();
    }

    /** The name that other modules would require it by. */
    String name() {
        return property("module.name").orElseThrow();
    }

    String artifact() {
        return child(pom, "artifactId").orElseThrow().getTextContent();
    }

    Optional<String> property(String name) {
        return child(pom, "properties").flatMap(all -> child(all, name)).map(Node::getTextContent);
    }

    /** The packages of its sources. */
    List<String> packages(String root) throws IOException {
        Path sources = ROOT.resolve(folder).resolve(root);
        if (!Files.isDirectory(sources)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
                    .distinct()
                    .toList();
        }
    }

    /** The root element of a pom.xml. */
    static Element pom(Path folder) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(folder.resolve("pom.xml").toFile())
                    .getDocumentElement();
        } catch (ParserConfigurationException | SAXException | IOException failure) {
            throw new IllegalStateException("Cannot read pom.xml in " + folder, failure);
        }
    }

    private static Optional<Element> child(Element parent, String name) {
        return children(parent, name).findFirst();
    }

    private static Stream<Element> children(Element parent, String name) {
        NodeList all = parent.getChildNodes();
        return IntStream.range(0, all.getLength())
                .mapToObj(all::item)
                .filter(node -> node.getNodeName().equals(name))
                .map(Element.class::cast);
    }
}
