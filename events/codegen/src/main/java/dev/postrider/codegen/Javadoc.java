package dev.postrider.codegen;

import java.util.List;

/** Turns the comment of a .proto file into the text of a Javadoc comment. */
final class Javadoc {

    private Javadoc() {}

    /** Its lines, harmless in Java and in HTML; empty lines begin a paragraph. */
    static List<String> lines(String comment) {
        return comment.strip()
                .replaceAll("\\R\\s*\\R", "\n\n")
                .lines()
                .map(String::strip)
                .map(Javadoc::escaped)
                .map(line -> line.isEmpty() ? "<p>" : line)
                .toList();
    }

    private static String escaped(String line) {
        return line.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("@", "&#64;")
                .replace("*/", "*&#47;")
                .replace("\\u", "&#92;u");
    }
}
