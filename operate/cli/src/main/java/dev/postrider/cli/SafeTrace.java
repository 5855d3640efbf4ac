package dev.postrider.cli;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.IThrowableProxy;
import dev.postrider.internal.Printable;
import dev.postrider.internal.SafeText;
import java.util.stream.Collectors;

/** A stack trace in the log: without secrets, and indented, so that no line of an exception's text passes for one of the log. */
public final class SafeTrace extends ThrowableProxyConverter {

    @Override
    protected String throwableProxyToString(IThrowableProxy failure) {
        return SafeText.of(super.throwableProxyToString(failure))
                .lines()
                .map(line -> "  " + Printable.of(line.replace("\t", "  ")))
                .collect(Collectors.joining(System.lineSeparator(), "", System.lineSeparator()));
    }
}
