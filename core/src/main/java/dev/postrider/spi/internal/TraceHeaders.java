package dev.postrider.spi.internal;

import dev.postrider.message.Headers;
import java.util.LinkedHashMap;
import java.util.Map;

/** The headers of a message that carry a trace, in a form that every store and broker takes. */
final class TraceHeaders {

    /** What the W3C asks everybody to carry at least. */
    static final int MAX_TRACE_STATE = 512;

    /** The limit of the W3C for baggage. A trace parent is much shorter. */
    static final int MAX_OTHERS = 8_192;

    private TraceHeaders() {}

    /**
     * What of it can be kept, and the trace context a second time as attributes of the event: instrumented clients of brokers replace
     * {@code traceparent}. Values that are too long or have other characters than printable ASCII are left out; a trace state loses its last
     * entries instead. Nothing at all without a trace parent, except for the headers of other formats.
     */
    static Map<String, String> of(Map<String, String> captured) {
        if (captured.isEmpty()) {
            return captured;
        }
        Map<String, String> headers = new LinkedHashMap<>();
        captured.forEach((name, value) -> {
            String kept = Headers.TRACE_STATE.equals(name) ? shortened(value) : value;
            boolean isAttribute = name != null && name.startsWith(Headers.EXTENSION_PREFIX);
            if (!isAttribute && isPrintable(name) && isPrintable(kept) && kept.length() <= MAX_OTHERS) {
                headers.put(name, kept);
            }
        });
        String parent = headers.get(Headers.TRACE_PARENT);
        if (parent == null) {
            headers.remove(Headers.TRACE_STATE);
            return headers;
        }
        headers.put(Headers.CREATION_TRACE_PARENT, parent);
        String state = headers.get(Headers.TRACE_STATE);
        if (state != null) {
            headers.put(Headers.CREATION_TRACE_STATE, state);
        }
        return headers;
    }

    /** Whole entries only; the first ones are those of whoever took part last. */
    private static String shortened(String state) {
        if (state == null || state.length() <= MAX_TRACE_STATE) {
            return state;
        }
        return state.substring(0, Math.max(0, state.lastIndexOf(',', MAX_TRACE_STATE)));
    }

    private static boolean isPrintable(String text) {
        return text != null
                && !text.isEmpty()
                && !text.startsWith(" ")
                && !text.endsWith(" ")
                && text.chars().allMatch(c -> c >= ' ' && c < 0x7F);
    }
}
