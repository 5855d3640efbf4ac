package dev.postrider.store.existing;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The column that says how far a row is, and its values: texts, or numbers written as texts.
 *
 * <p>Rows with any other value are left alone.
 *
 * @param column its name
 * @param pending not yet tried, or to be tried again
 * @param sending claimed by a relay; only useful with a column that says until when
 * @param retry failed and to be tried again; absent: {@code pending}
 * @param delivered absent: delivered rows are recognised by their time, or are not kept
 * @param dead given up; absent: see {@link TableMapping.Builder#deadAtAttempts} and {@link TableMapping.Builder#deadTable}
 */
public record StatusValues(
        String column,
        String pending,
        Optional<String> sending,
        Optional<String> retry,
        Optional<String> delivered,
        Optional<String> dead) {

    public StatusValues {
        TablePath.checkedColumn(Role.STATUS.option(), column);
        Objects.requireNonNull(pending, "pending");
    }

    public static StatusValues of(String column, String pending) {
        return new StatusValues(
                column, pending, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Those that there are, in the order of a row's life. */
    List<String> all() {
        return Stream.of(Optional.of(pending), sending, retry, delivered, dead)
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    public StatusValues withSending(String value) {
        return new StatusValues(column, pending, Optional.of(value), retry, delivered, dead);
    }

    public StatusValues withRetry(String value) {
        return new StatusValues(column, pending, sending, Optional.of(value), delivered, dead);
    }

    public StatusValues withDelivered(String value) {
        return new StatusValues(column, pending, sending, retry, Optional.of(value), dead);
    }

    public StatusValues withDead(String value) {
        return new StatusValues(column, pending, sending, retry, delivered, Optional.of(value));
    }
}
