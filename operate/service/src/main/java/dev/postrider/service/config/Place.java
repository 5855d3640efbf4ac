package dev.postrider.service.config;

/** Where something stands in a configuration file, for messages: {@code postrider.yaml line 7: outboxes.orders}. */
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
        return file + " line " + line + (path.isEmpty() ? "" : ": " + path);
    }
}
