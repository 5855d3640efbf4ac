package dev.postrider.cli.options;

import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/** The variables that the program was started with. */
public record Environment(Map<String, String> variables) {

    public Environment {
        variables = Map.copyOf(variables);
    }

    /** That of the program which this command belongs to. */
    public static Environment of(CommandSpec spec) {
        return ((Source) spec.root().userObject()).environment();
    }

    /** Known by the root command, so that every option below can ask. */
    public interface Source {
        Environment environment();
    }
}
