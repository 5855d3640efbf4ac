package dev.postrider.relay;

/** How a destination stands, as one relay sees it. */
public enum DestinationState {
    /** Messages go out. */
    UP,
    /** After an outage or a pause one message is tried; the first success brings it up. */
    TRYING,
    /** It could not be reached; it is tried again after the back-off. */
    DOWN,
    /** An operator has paused it. */
    PAUSED
}
