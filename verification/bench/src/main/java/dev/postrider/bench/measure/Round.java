package dev.postrider.bench.measure;

/**
 * What one subject did in one round.
 *
 * @param rate messages per second
 * @param messages how many there were to deliver
 * @param delivered how many arrived, as the destination counted them
 * @param span when it was at work, without what was prepared for it
 */
public record Round(double rate, long messages, long delivered, Span span) {

    /** @throws BenchException if a message is missing or came twice */
    public Round {
        if (delivered != messages) {
            throw new BenchException("%d of %d messages were delivered".formatted(delivered, messages));
        }
    }
}
