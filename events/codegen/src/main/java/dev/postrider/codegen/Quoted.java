package dev.postrider.codegen;

/** Text as a Java string literal. */
final class Quoted {

    private Quoted() {}

    static String of(String text) {
        return '"'
                + text.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r")
                + '"';
    }
}
