package dev.postrider.store.existing;

import dev.postrider.internal.HeaderJson;
import dev.postrider.internal.JsonText;
import dev.postrider.message.Headers;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The headers of a row, some of which are attributes of an event. Texts, numbers and truth values are kept apart where the attributes are
 * sent as they were written; what is nested becomes its JSON text. Not thread-safe.
 */
final class WrittenHeaders {

    private final boolean asWritten;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final Map<String, String> types = new LinkedHashMap<>();

    /** @param asWritten whether attributes are sent as they are, see {@link Headers#AS_WRITTEN} */
    WrittenHeaders(boolean asWritten) {
        this.asWritten = asWritten;
    }

    void put(String header, String text) {
        headers.put(header, text);
    }

    /** The header of an attribute. A value that is null counts as absent. */
    void put(String header, JsonText.Value value) {
        value.asHeader().ifPresent(text -> headers.put(header, text));
        if (value.isNumber() || value.isTruthValue()) {
            types.put(
                    header.startsWith(Headers.EXTENSION_PREFIX)
                            ? header.substring(Headers.EXTENSION_PREFIX.length())
                            : header,
                    value.isNumber() ? "number" : "boolean");
        }
    }

    void putIfAbsent(String header, String text) {
        headers.putIfAbsent(header, text);
    }

    Map<String, String> asMap() {
        if (asWritten) {
            headers.put(Headers.AS_WRITTEN, HeaderJson.write(types));
        }
        return headers;
    }
}
