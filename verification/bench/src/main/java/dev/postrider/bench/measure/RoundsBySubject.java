package dev.postrider.bench.measure;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * The rounds of all subjects that were measured in turns.
 *
 * @param all by subject, in the order of their turns
 */
public record RoundsBySubject(Map<String, Rounds> all) {

    /** The rounds of a subject that took part. */
    public Rounds of(String subject) {
        return requireNonNull(all.get(subject), subject);
    }
}
