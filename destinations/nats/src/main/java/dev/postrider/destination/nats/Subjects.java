package dev.postrider.destination.nats;

import dev.postrider.message.InvalidMessageException;

/** The subjects to which messages may be published. */
enum Subjects {
    /** Those of applications only. */
    OF_APPLICATIONS,
    /** Those of the server as well: whoever writes a topic into the outbox can then do what this user may do there. */
    ALL;

    /** The server ends a connection on which a line is longer than 4096 bytes; the reply's subject is on it as well. */
    private static final int MAX_LENGTH = 3000;

    /**
     * The subject, if a message may go there.
     *
     * @throws InvalidMessageException if not; the text says why
     */
    String checked(String subject) {
        if (!isValid(subject)) {
            throw new InvalidMessageException(
                    "subject",
                    "is '" + subject
                            + "'; a subject has parts of printable ASCII characters separated by dots, no wildcards, and at most "
                            + MAX_LENGTH + " characters");
        }
        if (this == OF_APPLICATIONS && isOfTheServer(subject)) {
            throw new InvalidMessageException(
                    "subject",
                    "is '" + subject
                            + "'. Subjects that begin with $ are orders to the NATS server, such as to delete a stream, and _INBOX. is for"
                            + " answers. Correct the topic, or allow such subjects by allowInternalTopics");
        }
        return subject;
    }

    private static boolean isValid(String subject) {
        return !subject.isEmpty()
                && subject.length() <= MAX_LENGTH
                && subject.chars().allMatch(c -> c > ' ' && c < 0x7F && c != '*' && c != '>')
                && !subject.startsWith(".")
                && !subject.endsWith(".")
                && !subject.contains("..");
    }

    private static boolean isOfTheServer(String subject) {
        return subject.startsWith("$") || subject.equals("_INBOX") || subject.startsWith("_INBOX.");
    }
}
