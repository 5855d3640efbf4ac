package dev.postrider.service.config;

/** Where something stands in a configuration file, for messages: {@code postrider.yaml line 7: outboxes.orders}. */
record Place(String file, int line, String path) {

    Place child(String name, int childLine) {
        return new Place(file, childLine, path.isEmpty() ? name : path + "." + name);
    }

    ConfigException refuse(String problem) {
        return new ConfigException(toString() + ": " + problem);
    }

    @Override
    public String toString() {
        return file + " line " + line + (path.isEmpty() ? "" : ": " + path);
    }
}
