package dev.postrider.cli.output;

import java.io.Console;

/** Whether a person is watching. */
public final class Terminal {

    private Terminal() {}

    /** Whether the process has a terminal that understands cursor movements. */
    public static boolean isPresent() {
        Console console = System.console();
        return console != null && isTerminal(console) && !"dumb".equals(System.getenv("TERM"));
    }

    /** From Java 22 on there is a console also when output goes to a file or a pipe, and this method to tell. */
    private static boolean isTerminal(Console console) {
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException olderJava) {
            return true;
        }
    }
}
