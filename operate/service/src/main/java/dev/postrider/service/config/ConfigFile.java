package dev.postrider.service.config;

import dev.postrider.internal.Internal;
import dev.postrider.internal.Readable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/** Reads a configuration file, with the environment filled in. */
@Internal
public final class ConfigFile {

    private static final long MOST_BYTES = 1 << 20;

    private ConfigFile() {}

    /**
     * The file's top section.
     *
     * @param environment where <code>${NAME}</code> is looked up
     * @throws ConfigException if the file cannot be read or is no YAML
     */
    public static Section read(Path file, Map<String, String> environment) {
        String yaml = load(file);
        return parse(file.getFileName().toString(), yaml, environment);
    }

    /** The same for a text that lies elsewhere; the name stands for it in messages. */
    public static Section parse(String name, String yaml, Map<String, String> environment) {
        return new Section(new YamlReader(name, new Variables(environment)).read(yaml));
    }

    private static String load(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new ConfigException("%s has %s, expected a configuration of at most %s"
                        .formatted(file, Readable.bytes(Files.size(file)), Readable.bytes(MOST_BYTES)));
            }
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException missing) {
            throw new ConfigException("There is no file " + file, missing);
        } catch (IOException unreadable) {
            throw new ConfigException("Could not read " + file + ": " + FileProblem.of(unreadable), unreadable);
        }
    }
}
