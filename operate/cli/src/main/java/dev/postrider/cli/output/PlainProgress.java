package dev.postrider.cli.output;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/** Progress as lines that can be read in a log. */
final class PlainProgress implements Progress {

    private final PrintWriter err;

    PlainProgress(PrintWriter err) {
        this.err = err;
    }

    @Override
    public Duration interval() {
        return Duration.ofSeconds(1);
    }

    @Override
    public void show(double done, List<String> lines) {
        err.println(String.join("; ", lines));
    }
}
