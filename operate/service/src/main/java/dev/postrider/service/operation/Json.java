package dev.postrider.service.operation;

import dev.postrider.internal.JsonText;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, texts, numbers and flags as JSON on one line; anything else as the text of its {@code toString}. */
public final class Json {

    private Json() {}

    public static String write(Object value) {
        StringBuilder out = new StringBuilder();
        append(out, value);
        return out.toString();
    }

    private static void append(StringBuilder out, @Nullable Object value) {
        if (value == null) {
            out.append("null");
        } else if (value instanceof Optional<?> optional) {
            append(out, optional.orElse(null));
        } else if (value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof Map<?, ?> map) {
            appendObject(out, map);
        } else if (value instanceof Collection<?> list) {
            appendList(out, list);
        } else {
            JsonText.appendString(out, value.toString());
        }
    }

    private static void appendObject(StringBuilder out, Map<?, ?> map) {
        out.append('{');
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<?, ?> entry = entries.next();
            JsonText.appendString(out, String.valueOf(entry.getKey()));
            out.append(':');
            append(out, entry.getValue());
            out.append(entries.hasNext() ? "," : "");
        }
        out.append('}');
    }

    private static void appendList(StringBuilder out, Collection<?> list) {
        out.append('[');
        Iterator<?> items = list.iterator();
        while (items.hasNext()) {
            append(out, items.next());
            out.append(items.hasNext() ? "," : "");
        }
        out.append(']');
    }
}
