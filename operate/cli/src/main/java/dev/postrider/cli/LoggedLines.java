package dev.postrider.cli;

import java.io.Writer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a command says on standard error, as lines of its log: whoever collects that as JSON gets nothing else. */
final class LoggedLines extends Writer {

    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    /** How every command begins what it says of an error. */
    private static final String ERROR = "postrider";

    private final StringBuilder line = new StringBuilder();

    @Override
    public void write(char[] text, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (text[i] == '\n') {
                end();
            } else if (text[i] != '\r') {
                line.append(text[i]);
            }
        }
    }

    private void end() {
        String ended = line.toString();
        line.setLength(0);
        if (ended.startsWith(ERROR)) {
            LOG.error("{}", ended);
        } else if (!ended.isBlank()) {
            LOG.info("{}", ended);
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        end();
    }
}
