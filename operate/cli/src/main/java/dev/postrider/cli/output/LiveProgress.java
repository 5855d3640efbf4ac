package dev.postrider.cli.output;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/** Progress as a bar and a few lines that stay where they are. */
final class LiveProgress implements Progress {

    private static final int BAR_WIDTH = 40;
    private static final String ESCAPE = "\u001b[";
    private static final String ERASE_TO_END_OF_LINE = ESCAPE + "K";

    private final PrintWriter err;
    private int linesShown;

    LiveProgress(PrintWriter err) {
        this.err = err;
    }

    @Override
    public Duration interval() {
        return Duration.ofMillis(200);
    }

    @Override
    public void show(double done, List<String> lines) {
        StringBuilder block = new StringBuilder();
        if (linesShown > 0) {
            block.append(ESCAPE).append(linesShown).append('A');
        }
        append(block, bar(done));
        lines.forEach(line -> append(block, line));
        err.print(block);
        err.flush();
        linesShown = lines.size() + 1;
    }

    private static void append(StringBuilder block, String line) {
        block.append('\r').append(line).append(ERASE_TO_END_OF_LINE).append('\n');
    }

    private static String bar(double done) {
        double share = Math.max(0, Math.min(1, done));
        int filled = (int) Math.round(share * BAR_WIDTH);
        return "[" + "#".repeat(filled) + ".".repeat(BAR_WIDTH - filled) + "] " + Math.round(share * 100) + " %";
    }
}
