package dev.postrider.cli.command;

import dev.postrider.maintenance.RunOutcome;

/** What is said of a run of maintenance. */
final class MaintenanceTexts {

    private MaintenanceTexts() {}

    static String of(RunOutcome outcome) {
        return switch (outcome) {
            case DONE -> "done";
            case STOPPED -> "stopped before the end";
            case ELSEWHERE -> "left to another runner";
        };
    }
}
