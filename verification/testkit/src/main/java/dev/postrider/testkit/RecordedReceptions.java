package dev.postrider.testkit;

import dev.postrider.spi.ReceiverListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what a receiver tells its listener, in order. Thread-safe. */
public final class RecordedReceptions implements ReceiverListener {

    private final List<String> reports = new CopyOnWriteArrayList<>();

    /** The names of the methods that were called. */
    public List<String> reports() {
        return List.copyOf(reports);
    }

    @Override
    public void received(String receiver) {
        reports.add("received");
    }

    @Override
    public void handled(String receiver, Duration took) {
        reports.add("handled");
    }

    @Override
    public void failed(String receiver, Duration took) {
        reports.add("failed");
    }

    @Override
    public void retried(String receiver) {
        reports.add("retried");
    }

    @Override
    public void parked(String receiver) {
        reports.add("parked");
    }
}
