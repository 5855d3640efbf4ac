package dev.postrider.service.operation;

/** What operators do to dead letters; the words are those of the operation log. */
public enum DeadAction {
    /** Have them delivered again, ahead of what is held of their keys. */
    RETRY,
    /** Delete them for good. */
    DISCARD;

    /** Does it to a batch, in the name of this operator. */
    public BatchAction.Step step(String operator) {
        return this == RETRY
                ? (letters, filter, batch) -> letters.requestRetry(filter, batch, operator)
                : (letters, filter, batch) -> letters.discard(filter, batch, operator);
    }
}
