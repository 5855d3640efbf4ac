package dev.postrider.faults;

import java.util.List;

/** What a relay process tells the test: a line each on its standard output, among those of its log. */
enum RelayEvent {
    /** It runs; with its owner id and its wall clock. */
    STARTED,
    /** What its wall clock says, when it was asked. */
    CLOCK,
    /** An attempt failed, and counts; with the id of the message. */
    FAILED,
    /** A lane is no longer its own. */
    LANE_LOST,
    /** An operator has paused a destination. */
    PAUSED,
    /** A part of it hangs; with the name of that part. */
    STALLED,
    /** Its scan has missed rows: a fault of the engine. */
    MISSED,
    /** A part of it has failed unexpectedly: a fault of the engine. */
    CRASHED;

    private static final String MARK = "event ";

    void print(Object detail) {
        System.out.println(MARK + name() + " " + detail);
    }

    /** The details of each time it happened. */
    List<String> in(List<String> lines) {
        String start = MARK + name() + " ";
        return lines.stream()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .toList();
    }
}
