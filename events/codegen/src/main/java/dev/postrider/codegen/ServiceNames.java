package dev.postrider.codegen;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The names that we give to generated classes and constants. */
final class ServiceNames {

    private static final String SUFFIX = "Events";

    private ServiceNames() {}

    /** {@code example/books/v1/books.proto} and {@code books_events.proto} as {@code BooksEvents}. */
    static String shortClass(String file) {
        return classOf(file.substring(file.lastIndexOf('/') + 1));
    }

    /** {@code example/books/v1/books.proto} as {@code ExampleBooksV1BooksEvents}, for files whose short names are the same. */
    static String longClass(String file) {
        return classOf(file);
    }

    private static String classOf(String path) {
        String name = JavaNames.camelCase(path.replaceFirst("\\.proto(devel)?$", ""));
        String stem = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
        return identifier(stem) + SUFFIX;
    }

    /** {@code BookCreated} as {@code BOOK_CREATED}, with a number where two names differ in case only. */
    static Map<Event, String> constants(List<Event> events, String reserved) {
        Set<String> taken = new HashSet<>(Set.of(reserved));
        Map<Event, String> constants = new LinkedHashMap<>();
        events.forEach(event -> constants.put(event, free(constant(event.name()), taken)));
        return constants;
    }

    private static String free(String constant, Set<String> taken) {
        String name = constant;
        for (int i = 2; !taken.add(name); i++) {
            name = constant + "_" + i;
        }
        return name;
    }

    private static String constant(String name) {
        String constant = name.replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                .replaceAll("([A-Z])([A-Z][a-z])", "$1_$2")
                .toUpperCase(Locale.ROOT);
        // A single underscore is a keyword.
        return constant.equals("_") ? "__" : constant;
    }

    /** What is left of {@code _2d} begins with a digit, which no name in Java does. */
    private static String identifier(String name) {
        return name.matches("[0-9].*") ? "_" + name : name;
    }
}
