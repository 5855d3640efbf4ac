package dev.postrider.console;

import dev.postrider.service.operation.Fields;
import dev.postrider.service.operation.Rates;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** How fast messages came and went during the last hour, as far as somebody has looked. Thread-safe. */
final class RateHistory {

    /** An hour of samples. */
    private static final int SAMPLES = 360;

    private record Point(Instant at, Rates rates) {}

    private final Deque<Point> points = new ArrayDeque<>();

    synchronized void add(Rates rates) {
        points.addLast(new Point(Instant.now(), rates));
        if (points.size() > SAMPLES) {
            points.removeFirst();
        }
    }

    synchronized List<Map<String, Object>> fields() {
        return points.stream()
                .map(point -> new Fields()
                        .with("at", point.at())
                        .with("in", rounded(point.rates().enqueued()))
                        .with("out", rounded(point.rates().delivered()))
                        .map())
                .toList();
    }

    private static double rounded(double rate) {
        return Math.round(rate * 10) / 10.0;
    }
}
