package dev.postrider.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs an example and returns the lines that it prints. */
final class Printed {

    private Printed() {}

    static List<String> by(Example example, String... arguments) throws Exception {
        PrintStream console = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            example.main(arguments);
        } finally {
            System.setOut(console);
        }
        return printed.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.contains(" WARN "))
                .toList();
    }

    /** A main method. */
    interface Example {
        void main(String[] arguments) throws Exception;
    }
}
