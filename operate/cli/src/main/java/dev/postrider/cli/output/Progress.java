package dev.postrider.cli.output;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/** Shows how a long command is getting on. Not thread-safe. */
public interface Progress {

    /** The one for a terminal if there is one and it is wanted, else the one for files and pipes. */
    static Progress of(PrintWriter err, boolean isHeadless) {
        return isHeadless || !Terminal.isPresent() ? plain(err) : live(err);
    }

    /** A block of lines that is redrawn in place, for a terminal. */
    static Progress live(PrintWriter err) {
        return new LiveProgress(err);
    }

    /** One line a second, for files and pipes. */
    static Progress plain(PrintWriter err) {
        return new Progress() {
            @Override
            public Duration interval() {
                return Duration.ofSeconds(1);
            }

            @Override
            public void show(double done, List<String> lines) {
                err.println(String.join("; ", lines));
            }
        };
    }

    /** How often {@link #show} should be called. */
    Duration interval();

    /**
     * Shows the present state.
     *
     * @param done the share that is done, 0 to 1
     * @param lines what there is to say, each short
     */
    void show(double done, List<String> lines);
}
