package dev.postrider.relay;

import java.time.Duration;

/** Whether the store works, by what became of the last calls to it. Thread-safe. */
final class StoreHealth implements RelayListener {

    private volatile boolean isFailing;

    boolean isFailing() {
        return isFailing;
    }

    @Override
    public void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
        isFailing = true;
    }

    @Override
    public void fetched(long batch, int rows, Duration took) {
        isFailing = false;
    }

    @Override
    public void settled(int rows, Duration took) {
        isFailing = false;
    }
}
