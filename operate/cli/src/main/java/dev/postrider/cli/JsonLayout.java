package dev.postrider.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import dev.postrider.internal.HeaderJson;
import dev.postrider.internal.SafeText;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.event.KeyValuePair;

/**
 * A line of the log as one flat JSON object, without secrets. Its own, since logback's puts each key into an object of a list, where no
 * search finds it, and since none of the libraries passes texts through {@link SafeText}.
 */
public final class JsonLayout extends LayoutBase<ILoggingEvent> {

    private boolean isEcs;

    /** Whether fields are named by the Elastic Common Schema. */
    public void setEcs(boolean value) {
        this.isEcs = value;
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        Line line = new Line();
        line.put(isEcs ? "@timestamp" : "time", event.getInstant());
        line.put(isEcs ? "log.level" : "level", event.getLevel());
        line.put("message", event.getFormattedMessage());
        line.put(isEcs ? "log.logger" : "logger", event.getLoggerName());
        line.put(isEcs ? "process.thread.name" : "thread", event.getThreadName());
        if (isEcs) {
            line.put("ecs.version", "8.11.0");
            line.put("service.name", "postrider");
        }
        Optional.ofNullable(event.getThrowableProxy()).ifPresent(failure -> putFailure(line, failure));
        for (KeyValuePair pair : Optional.ofNullable(event.getKeyValuePairs()).orElse(List.of())) {
            line.put(field(pair.key), pair.value);
        }
        event.getMDCPropertyMap().forEach((name, value) -> line.put(isEcs ? "labels." + name : name, value));
        return line.json() + "\n";
    }

    private void putFailure(Line line, IThrowableProxy failure) {
        line.put(isEcs ? "error.type" : "errorType", failure.getClassName());
        line.put(isEcs ? "error.message" : "error", failure.getMessage());
        line.put(isEcs ? "error.stack_trace" : "stackTrace", ThrowableProxyUtil.asString(failure));
    }

    private String field(String key) {
        if (!isEcs) {
            return key;
        }
        return switch (key) {
            case "traceId" -> "trace.id";
            case "messageId" -> "postrider.message.id";
            default -> "postrider." + key;
        };
    }

    /** Fields in their order; of two with the same name the first one counts. */
    private static final class Line {

        private final Map<String, String> fields = new LinkedHashMap<>();
        private final Set<String> numbers = new HashSet<>();

        void put(String name, Object value) {
            if (value != null
                    && fields.putIfAbsent(name, SafeText.of(value.toString())) == null
                    && (value instanceof Integer || value instanceof Long)) {
                numbers.add(name);
            }
        }

        String json() {
            return HeaderJson.write(fields, name -> !numbers.contains(name));
        }
    }
}
