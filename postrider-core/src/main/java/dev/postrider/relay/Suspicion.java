package dev.postrider.relay;

import java.util.HashSet;
import java.util.Set;

/**
 * Whether a destination seems to be down because messages of several keys failed in a row, each as if for itself, and none
 * succeeded. One key alone, however often it fails, raises no suspicion. For {@link DestinationGate}, under its lock.
 */
final class Suspicion {

    private static final int KEYS = 5;
    private static final int MAX_TRIAL_DOUBLINGS = 10;

    private final Set<String> failedKeys = new HashSet<>();
    private boolean isRaised;

    boolean isRaised() {
        return isRaised;
    }

    /** A message of this key failed. Returns whether the suspicion stands. */
    boolean failed(String key) {
        failedKeys.add(key);
        isRaised |= failedKeys.size() >= KEYS;
        return isRaised;
    }

    /** A message was delivered. */
    void succeeded(boolean isUp) {
        failedKeys.clear();
        isRaised &= !isUp;
    }

    void lift() {
        isRaised = false;
    }

    /** How many messages to try at once: more each time, since a long row of bad messages must not hide the good ones behind it. */
    static int trialSize(int failedTrials) {
        return 1 << Math.min(failedTrials, MAX_TRIAL_DOUBLINGS);
    }

    static String because(String lastReason) {
        return "messages of " + KEYS + " keys failed in a row; the last: " + lastReason;
    }
}
