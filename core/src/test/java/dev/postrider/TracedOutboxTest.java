package dev.postrider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.TraceContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which trace a message is kept with. */
class TracedOutboxTest extends OutboxFixture {

    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @Test
    void keepsTheTraceTwice() {
        assertThat(kept(Map.of("traceparent", PARENT, "tracestate", "vendor=1", "baggage", "tenant=7")))
                .isEqualTo(Map.of(
                        "traceparent", PARENT,
                        "ce_traceparent", PARENT,
                        "tracestate", "vendor=1",
                        "ce_tracestate", "vendor=1",
                        "baggage", "tenant=7"));
    }

    @Test
    void keepsTheTraceParentOfAnOldImplementation() {
        TraceContext old = new OldTracing(Optional.of(PARENT));

        assertThat(headersOf(old, message().build()))
                .isEqualTo(Map.of("traceparent", PARENT, "ce_traceparent", PARENT));
    }

    @Test
    void leavesAMessageAloneThatNamesItsTrace() {
        OutboxMessage named = message().header(Headers.TRACE_PARENT, "mine").build();

        assertThat(headersOf(new RecordingTracing(Map.of("traceparent", PARENT, "baggage", "a=b")), named))
                .isEqualTo(Map.of("traceparent", "mine"));
    }

    @Test
    void cutsALongTraceStateBetweenEntries() {
        String state =
                IntStream.range(0, 1_000).mapToObj(i -> "vendor" + i + "=" + i).collect(Collectors.joining(","));

        String kept = kept(Map.of("traceparent", PARENT, "tracestate", state)).get("tracestate");

        assertThat(kept).hasSizeBetween(500, 512).endsWith("=43");
        assertThat(state).startsWith(kept + ",");
    }

    @Test
    void leavesOutWhatNoBrokerTakes() {
        Map<String, String> odd = new LinkedHashMap<>();
        odd.put("traceparent", PARENT);
        odd.put("tracestate", "x".repeat(10_000));
        odd.put("baggage", "b".repeat(8_193));
        odd.put("broken", "line\nbreak");
        odd.put("ümlaut", "a");
        odd.put("ce_Bad-Name", "a");
        odd.put("empty", "");
        odd.put("missing", null);
        odd.put(null, "a");

        assertThat(kept(odd)).isEqualTo(Map.of("traceparent", PARENT, "ce_traceparent", PARENT));
    }

    @Test
    void keepsNoTraceStateWithoutItsParent() {
        assertThat(kept(Map.of("traceparent", "line\nbreak", "tracestate", "vendor=1", "b3", "1-2-1")))
                .isEqualTo(Map.of("b3", "1-2-1"));
    }

    @Test
    void sendsAMessageWithoutRoomForItsTrace() {
        int limit = store.limits().maxHeaderBytes();
        OutboxMessage full = message().header("h", "v".repeat(limit - 1)).build();

        assertThat(headersOf(new RecordingTracing(Map.of("traceparent", PARENT)), full))
                .containsOnlyKeys("h");
    }

    @Test
    void writesTheMessageThoughTracingFails() {
        TraceContext broken = new OldTracing(Optional.empty()) {
            @Override
            public Map<String, String> capture() {
                throw new IllegalStateException("planted");
            }
        };

        assertThat(headersOf(broken, message().build())).isEmpty();
    }

    private Map<String, String> kept(Map<String, String> captured) {
        return headersOf(new RecordingTracing(captured), message().build());
    }

    /** Without the time, which the relay adds. */
    private Map<String, String> headersOf(TraceContext trace, OutboxMessage message) {
        Outbox.builder(store).tracing(trace).build().inTransaction(store.dataSource(), tx -> tx.enqueue(message));
        Map<String, String> headers =
                new LinkedHashMap<>(delivered().get(0).headers().asMap());
        headers.remove(Headers.TIME);
        return headers;
    }
}
