package dev.postrider.cli;

import dev.postrider.cli.options.Environment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs commands in this process and keeps what they print. */
public final class Shell {

    private final Map<String, String> environment = new HashMap<>();
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    public Shell set(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Returns the exit code; what was printed before is forgotten. */
    public int run(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.run(
                new Environment(environment), new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    public String out() {
        return out.toString();
    }

    public List<String> lines() {
        return out().lines().toList();
    }

    public String err() {
        return err.toString();
    }
}
