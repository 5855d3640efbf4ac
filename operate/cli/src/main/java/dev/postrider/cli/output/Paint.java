package dev.postrider.cli.output;

import java.util.Map;

/** Colours for people at a terminal; off where output goes to a file or a pipe, or where {@code NO_COLOR} is set. Immutable. */
public final class Paint {

    private static final Paint OFF = new Paint(false);
    private static final Paint ON = new Paint(true);

    private final boolean isOn;

    private Paint(boolean isOn) {
        this.isOn = isOn;
    }

    /** As this environment and this terminal want it. */
    public static Paint of(Map<String, String> environment) {
        return of(environment, Terminal.isPresent());
    }

    static Paint of(Map<String, String> environment, boolean isTerminal) {
        boolean isWanted = environment.getOrDefault("NO_COLOR", "").isEmpty();
        return isTerminal && isWanted ? ON : OFF;
    }

    public String good(String text) {
        return paint("32", text);
    }

    public String warning(String text) {
        return paint("33", text);
    }

    public String bad(String text) {
        return paint("1;31", text);
    }

    public String heading(String text) {
        return paint("1", text);
    }

    private String paint(String code, String text) {
        return isOn ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
