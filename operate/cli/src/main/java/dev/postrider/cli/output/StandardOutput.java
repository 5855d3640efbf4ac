package dev.postrider.cli.output;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Where results go, in UTF-8 whatever the locale. Knows whether its reader has ended, as {@code head} does: that is no error. */
public final class StandardOutput extends PrintWriter {

    private final Watched stream;

    private StandardOutput(Watched stream) {
        super(stream, true, StandardCharsets.UTF_8);
        this.stream = stream;
    }

    public static StandardOutput of(OutputStream stream) {
        return new StandardOutput(new Watched(stream));
    }

    /** Whether it was a pipe whose reader has ended. A full disk is something else. */
    public boolean hasLostItsReader() {
        return stream.hasLostItsReader;
    }

    /** The writer above swallows exceptions; here they are seen. */
    private static final class Watched extends FilterOutputStream {

        private boolean hasLostItsReader;

        Watched(OutputStream target) {
            super(target);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                out.write(bytes, offset, length);
            } catch (IOException failure) {
                // The system has no other name for it, in any language.
                hasLostItsReader |= String.valueOf(failure.getMessage())
                        .toLowerCase(Locale.ROOT)
                        .contains("pipe");
                throw failure;
            }
        }
    }
}
