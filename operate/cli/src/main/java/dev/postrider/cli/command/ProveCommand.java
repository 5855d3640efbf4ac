package dev.postrider.cli.command;

import dev.postrider.cli.options.OutputOptions;
import dev.postrider.cli.options.ProveOptions;
import dev.postrider.cli.output.Progress;
import dev.postrider.prove.ProofException;
import dev.postrider.prove.check.Verdict;
import dev.postrider.prove.run.Proof;
import dev.postrider.prove.run.ProofResult;
import dev.postrider.prove.run.ProofSettings;
import dev.postrider.prove.server.ProofSite;
import dev.postrider.service.operation.Fields;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** {@code postrider prove}: the promises, tried on real servers. */
@Command(
        name = "prove",
        description = {
            "Proves on real servers that every committed message is delivered, in order, and no other.",
            "",
            "Writers commit and roll back transactions, relays in processes of their own deliver, and meanwhile relays"
                    + " are killed and stopped, connections cut, servers killed and restarted. At the end the broker's"
                    + " content is compared with what was committed.",
            "",
            "Uses tables and a topic of its own, and removes them afterwards. Stops no server of yours: faults that"
                    + " would need to are refused.",
            "",
            "The last line of the output is for scripts. The exit code is 0 only if nothing was lost, invented, out of"
                    + " order or stuck. A failed proof leaves its history; the same --seed makes the same choices again."
        },
        footer = {
            "  ./postrider prove --store postgres --destination kafka",
            "  postrider prove --store jdbc:postgresql://db/app --user me --password-file pw \\",
            "      --destination amqp://guest:guest@broker:5672 --faults kill,stop,cut --seconds 300"
        })
final class ProveCommand extends AnyCommand implements Callable<Integer> {

    @Mixin
    private ProveOptions options;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() throws IOException {
        PrintWriter err = err();
        ProofSettings settings = options.settings();
        Path directory = Files.createTempDirectory("postrider-prove-");
        err.println("Seed " + settings.seed() + "; logs of the relays in " + directory);
        try (ProofSite site = options.site()) {
            ProofResult result = proof(settings, site, directory).run();
            result.history().ifPresent(file -> {
                err.println("The proof failed. What happened: " + file);
                err.println("To make the same choices again: --seed " + settings.seed());
            });
            answers(output).print(() -> List.of(result.lastLine()), () -> fields(result, settings.seed()));
            return (result.holds() ? ExitCode.OK : ExitCode.FAILED).number();
        }
    }

    private Proof proof(ProofSettings settings, ProofSite site, Path directory) {
        try {
            return new Proof(settings, site, relayCommand(), directory, progress()::show);
        } catch (ProofException refused) {
            throw new ParameterException(spec().commandLine(), refused.getMessage(), refused);
        }
    }

    private static Fields fields(ProofResult result, long seed) {
        Verdict verdict = result.verdict();
        return new Fields()
                .with("holds", result.holds())
                .with("committed", verdict.committed())
                .with("delivered", verdict.delivered())
                .with("lost", verdict.lost().size())
                .with("phantom", verdict.phantoms().size())
                .with("duplicates", verdict.duplicates())
                .with("out_of_order", verdict.outOfOrder().size())
                .with("stuck_keys", verdict.stuckKeys().size())
                .with("faults", result.faults())
                .with("transactions", result.transactions())
                .with("seed", seed);
    }

    /** This program, once more. */
    private static List<String> relayCommand() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return List.of(
                java,
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.postrider.cli.Main",
                "relay",
                "--config");
    }

    private ProveProgress progress() {
        return new ProveProgress(Progress.of(err(), options.isHeadless()));
    }

    /** Shows how a proof gets on. Not thread-safe. */
    private static final class ProveProgress {

        private final Progress progress;
        private String lastNews = "";

        ProveProgress(Progress progress) {
            this.progress = progress;
        }

        void show(double done, String phase, long transactions, int faults, String news) {
            lastNews = news.isEmpty() ? lastNews : news;
            progress.show(
                    done,
                    List.of(
                            "%s: %d transactions, %d faults".formatted(phase, transactions, faults),
                            "last: " + lastNews));
        }
    }
}
