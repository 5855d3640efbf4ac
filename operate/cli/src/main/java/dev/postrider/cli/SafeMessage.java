package dev.postrider.cli;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.postrider.internal.Printable;
import dev.postrider.internal.SafeText;
import java.util.List;
import java.util.Optional;
import org.slf4j.event.KeyValuePair;

/** The message of a line of the log with its keys and values: without secrets, and always one line. */
public final class SafeMessage extends ClassicConverter {

    @Override
    public String convert(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(String.valueOf(event.getFormattedMessage()));
        for (KeyValuePair pair : Optional.ofNullable(event.getKeyValuePairs()).orElse(List.of())) {
            line.append(' ').append(pair.key).append("=\"").append(pair.value).append('"');
        }
        return Printable.of(SafeText.of(line.toString()));
    }
}
