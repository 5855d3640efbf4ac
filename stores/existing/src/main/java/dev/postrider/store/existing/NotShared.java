package dev.postrider.store.existing;

/** What a table cannot tell to other processes, each with a way out; the blank is for its name. */
final class NotShared {

    static final String PAUSES =
            "%s has no lock table, so a pause reaches only relays of the process that asks for it. Name a lock table in the section"
                    + " 'existing' (schema print --preset relay-lock), or stop the relay";

    static final String BLOCKED =
            "%s has no column for the time of the next or last attempt, so only the relay that blocked a row knows of it. Restart that"
                    + " relay, which tries each such row once more, or map 'next-attempt' or 'last-attempt'";

    static final String DEAD =
            "%s has no place for rows that were given up, so only the relay that gave a row up knows of it. Restart that relay, which"
                    + " tries such rows again, or map a dead status, 'dead-table' or 'dead-at-attempts'";

    static final String RELAYS =
            "%s does not tell which relays run: each takes rows that no other has. Ask a relay itself, by /ready or its log";

    private NotShared() {}
}
