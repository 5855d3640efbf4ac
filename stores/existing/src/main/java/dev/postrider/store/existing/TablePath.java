package dev.postrider.store.existing;

import java.util.Optional;
import java.util.regex.Pattern;

/** A table's name, with its schema where one is given; checked, so that it can stand in any statement. */
record TablePath(Optional<String> schema, String name) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]{1,64}");

    /** Reads {@code table} or {@code schema.table}. */
    static TablePath parse(String text) {
        String[] parts = text.split("\\.", -1);
        boolean isValid = parts.length <= 2;
        for (String part : parts) {
            isValid &= NAME.matcher(part).matches();
        }
        if (!isValid) {
            throw new IllegalArgumentException(
                    "table is '%s', expected a name of letters, digits and underscores, or two joined by a dot"
                            .formatted(text));
        }
        return parts.length == 1
                ? new TablePath(Optional.empty(), parts[0])
                : new TablePath(Optional.of(parts[0]), parts[1]);
    }

    static String checkedColumn(String option, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "%s is '%s', expected the name of a column: letters, digits and underscores"
                            .formatted(option, name));
        }
        return name;
    }

    String sql(Database database) {
        return schema.map(s -> database.quote(s) + ".").orElse("") + database.quote(name);
    }

    @Override
    public String toString() {
        return schema.map(s -> s + ".").orElse("") + name;
    }
}
