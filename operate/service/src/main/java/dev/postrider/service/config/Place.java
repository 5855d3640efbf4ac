package dev.postrider.service.config;

/**
 * Where something stands, for messages: {@code postrider.yaml line 7: outboxes.orders}.
 *
 * @param file or what else it comes from; empty if that is not known
 * @param line 0 where there are no lines, or the source names its line itself
 */
record Place(String file, int line, String path) {

    Place child(String name, int childLine) {
        return new Place(file, childLine, path.isEmpty() ? name : path + "." + name);
    }

    ConfigException refuse(String problem) {
        // Reads as a sentence: relay.workers is 300, expected 1 to 64.
        return new ConfigException(this + (problem.startsWith("is ") ? " " : ": ") + problem);
    }

    @Override
    public String toString() {
        String source = line == 0 ? file : file + " line " + line;
        return source.isEmpty() || path.isEmpty() ? source + path : source + ": " + path;
    }
}
