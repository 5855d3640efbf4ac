package dev.postrider.maintenance;

/** How a run of maintenance ended. */
public enum RunOutcome {
    /** All that there was to do was tried. */
    DONE,
    /** It was closed or interrupted, or lost its lease, before its end; the next run goes on. */
    STOPPED,
    /** Another runner is at work; nothing was done. */
    ELSEWHERE
}
