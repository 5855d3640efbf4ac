package dev.postrider;

import dev.postrider.spi.TraceSpan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Gives messages these headers, and writes down what happens to the spans of their sends. */
public final class RecordingTracing extends OldTracing {

    private final Map<String, String> captured;
    private final ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();
    private final ThreadLocal<String> current = new ThreadLocal<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();

    public RecordingTracing(Map<String, String> captured) {
        super(Optional.empty());
        this.captured = captured;
    }

    /** What happened, one line for each step. */
    public List<String> log() {
        return List.copyOf(log);
    }

    /** The name of the span that is current on this thread, or null. */
    public String currentSpan() {
        return current.get();
    }

    public int begun() {
        return begun.get();
    }

    /** How often a span was ended. */
    public int ends() {
        return ends.get();
    }

    @Override
    public Map<String, String> capture() {
        return captured;
    }

    @Override
    public TraceSpan sending(Sending sending) {
        String name = "span " + begun.incrementAndGet();
        log.add(sending.destination().name() + " " + sending.destination().system() + " attempt " + sending.attempt());
        return new TraceSpan() {
            @Override
            public Scope makeCurrent() {
                String before = current.get();
                current.set(name);
                return () -> current.set(before);
            }

            @Override
            public void tag(String tag, String value) {
                log.add(tag + "=" + value);
            }

            @Override
            public void end() {
                ended("ended");
            }

            @Override
            public void fail(String errorType, String reason) {
                ended("failed " + errorType + ": " + reason);
            }

            private void ended(String how) {
                log.add(how);
                ends.incrementAndGet();
            }
        };
    }
}
