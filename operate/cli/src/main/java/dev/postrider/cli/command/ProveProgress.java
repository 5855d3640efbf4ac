package dev.postrider.cli.command;

import dev.postrider.cli.output.Progress;
import java.util.List;

/** Shows how a proof gets on. Not thread-safe. */
final class ProveProgress {

    private final Progress progress;
    private String lastNews = "";

    ProveProgress(Progress progress) {
        this.progress = progress;
    }

    void show(double done, String phase, long transactions, int faults, String news) {
        lastNews = news.isEmpty() ? lastNews : news;
        progress.show(
                done,
                List.of("%s: %d transactions, %d faults".formatted(phase, transactions, faults), "last: " + lastNews));
    }
}
