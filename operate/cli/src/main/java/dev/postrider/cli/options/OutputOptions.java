package dev.postrider.cli.options;

import picocli.CommandLine.Option;

/** How results are printed. */
public final class OutputOptions {

    /** The forms of output. */
    public enum ValueFormat {
        /** For people. */
        TEXT,
        /** For programs: each result is one object on one line. */
        JSON
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            defaultValue = "text",
            description = "text, or json: each result one object on one line. Default: ${DEFAULT-VALUE}.")
    private ValueFormat form;

    @Option(names = "--json", description = "Short for --output json.")
    private boolean json;

    public boolean isJson() {
        return json || form == ValueFormat.JSON;
    }
}
