package dev.postrider.cli.options;

import java.util.Map;

/** The variables that the program was started with. */
public record Environment(Map<String, String> variables) {

    public Environment {
        variables = Map.copyOf(variables);
    }

    /** Known by the root command, so that every option below can ask. */
    public interface Source {
        Environment environment();
    }
}
