package dev.postrider.benchpeers;

/** Messages were committed and did not arrive. */
final class MissingMessagesException extends IllegalStateException {

    MissingMessagesException(int missing, int of, int first) {
        super("%d of %d messages have not arrived, the first is number %d".formatted(missing, of, first));
    }
}
