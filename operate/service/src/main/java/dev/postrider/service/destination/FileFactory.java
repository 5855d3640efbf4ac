package dev.postrider.service.destination;

import dev.postrider.internal.Internal;
import dev.postrider.service.config.Section;
import dev.postrider.spi.Destination;
import java.nio.file.Path;
import java.util.List;

/** Destinations that append each message as a line of JSON to a file. */
@Internal
public final class FileFactory implements DestinationFactory {

    @Override
    public String type() {
        return "file";
    }

    @Override
    public String meaning() {
        return "Appends each message as one line of JSON to a file, on the disk before it counts as delivered.";
    }

    @Override
    public List<Key> keys() {
        return List.of(new Key(
                "path", "text", "required", "The file; created for its owner only if it is missing, never shortened."));
    }

    @Override
    public Destination create(String name, Section section) {
        return new FileDestination(name, Path.of(section.requireText("path")));
    }
}
