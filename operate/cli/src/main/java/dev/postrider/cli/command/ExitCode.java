package dev.postrider.cli.command;

/** How a command ended, for the shell. */
public enum ExitCode {
    /** It did what it was asked to do. */
    OK(0),
    /** It ran and failed, or found something wrong. */
    FAILED(1),
    /** It was called wrongly and did nothing. */
    USAGE(2);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
