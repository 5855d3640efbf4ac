package dev.postrider.relay;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Whether a destination seems to be down because messages of several keys failed in a row, each as if for itself, and none
 * succeeded. One key alone, however often it fails, raises no suspicion. For {@link DestinationGate}, under its lock.
 *
 * <p>While it stands the destination is tried with a few messages at a time, with more each time. Failures count no attempt then, so bad
 * messages must not keep the trials for themselves: the more have failed, the longer each of them steps back, so that on average less than
 * one of them is due for each trial and a message that was not tried yet always has its turn.
 */
final class Suspicion {

    private static final int KEYS = 5;
    private static final int MAX_TRIAL_DOUBLINGS = 6;

    /** Those that stepped back in a real outage wait at most this long after its end. */
    private static final Duration LONGEST_STEP_BACK = Duration.ofMinutes(2);

    private final Set<String> failedKeys = new HashSet<>();
    private boolean isRaised;
    private int failuresSinceRaised;
    private int trialSize;
    private int tried;

    boolean isRaised() {
        return isRaised;
    }

    /** A message of this key failed. Returns whether the suspicion stands. */
    boolean failed(String key) {
        if (isRaised) {
            failuresSinceRaised++;
        } else {
            failedKeys.add(key);
            isRaised = failedKeys.size() >= KEYS;
        }
        return isRaised;
    }

    /** A message was delivered. */
    void succeeded(boolean isUp) {
        failedKeys.clear();
        if (isUp) {
            lift();
        }
    }

    void lift() {
        failedKeys.clear();
        isRaised = false;
        failuresSinceRaised = 0;
    }

    /** A trial begins; the earlier ones have failed. */
    void beginTrial(int failedTrials) {
        trialSize = 1 << Math.min(failedTrials, MAX_TRIAL_DOUBLINGS);
        tried = 0;
    }

    /** Whether one more message may be sent in this trial; if so it counts. */
    boolean takeTurn() {
        if (tried == trialSize) {
            return false;
        }
        tried++;
        return true;
    }

    /** The message that took a turn told nothing. */
    void giveBackTurn() {
        tried = Math.max(0, tried - 1);
    }

    /** Whether all messages of the trial have begun. */
    boolean isTrialFull() {
        return tried == trialSize;
    }

    /** How long a message that failed in a trial waits. */
    Duration stepBack(Duration betweenTrials) {
        Duration wanted = betweenTrials.multipliedBy(2L + failuresSinceRaised);
        return wanted.compareTo(LONGEST_STEP_BACK) < 0 ? wanted : LONGEST_STEP_BACK;
    }

    static String because(String lastReason) {
        return "messages of " + KEYS + " keys failed in a row; the last: " + lastReason;
    }
}
