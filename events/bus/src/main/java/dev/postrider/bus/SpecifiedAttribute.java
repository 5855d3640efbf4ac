package dev.postrider.bus;

import java.util.Set;

/** The names that CloudEvents 1.0 itself defines. */
final class SpecifiedAttribute {

    private static final Set<String> NAMES =
            Set.of("specversion", "id", "source", "type", "subject", "time", "dataschema", "datacontenttype", "data");

    private SpecifiedAttribute() {}

    static boolean isOne(String name) {
        return NAMES.contains(name);
    }
}
