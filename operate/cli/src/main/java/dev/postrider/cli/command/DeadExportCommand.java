package dev.postrider.cli.command;

import dev.postrider.cli.output.CountProgress;
import dev.postrider.cli.output.OutputLostException;
import dev.postrider.cli.output.Progress;
import dev.postrider.cli.output.Terminal;
import dev.postrider.internal.PrivateFile;
import dev.postrider.internal.Readable;
import dev.postrider.service.operation.Fields;
import dev.postrider.service.operation.Json;
import dev.postrider.service.operation.LetterJson;
import dev.postrider.service.operation.Selection;
import dev.postrider.spi.DeadLetters.DeadLetter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postrider dead export}. */
@Command(
        name = "export",
        description = "Writes dead letters as lines of JSON, to standard output or to a file. Deletes nothing.",
        footer = {
            "  postrider dead export --config postrider.yaml > dead.jsonl",
            "  postrider dead export --config postrider.yaml --topic orders --payload --file orders.jsonl"
        })
final class DeadExportCommand extends DeadLettersCommand {

    /** The number of letters after which the command looks whether anybody reads them, and tells how far it is. */
    private static final int BLOCK = 100;

    private static final long COUNTED = 1_000_000;

    @Option(names = "--all", description = "All dead letters, which is also the default without a filter.")
    private boolean all;

    @Option(names = "--limit", paramLabel = "N", description = "How many at most. Default: all.")
    private @Nullable Long limit;

    @Option(names = "--payload", description = "Includes headers and the payload in Base64, which may be confidential.")
    private boolean payload;

    @Option(names = "--file", paramLabel = "FILE", description = "A new file, instead of standard output.")
    private @Nullable Path file;

    @Override
    ExitCode run(Selection selection) throws IOException {
        if (all && limit != null) {
            throw usage("--all and --limit exclude each other; leave one out");
        }
        if (file == null) {
            err().println("exported " + Readable.count(write(selection, out()), "dead letter"));
            return ExitCode.OK;
        }
        try (PrintWriter writer = newFile(file)) {
            long written = write(selection, writer);
            err().println("exported " + Readable.count(written, "dead letter") + " to " + file);
            return ExitCode.OK;
        } catch (FileAlreadyExistsException there) {
            throw usage("There is a file " + file + " already; it is not overwritten");
        } catch (OutputLostException full) {
            err().println("Could not write to " + file + ": the disk may be full");
            return ExitCode.FAILED;
        } catch (IOException failure) {
            err().println("Could not write to " + file + ": " + failure);
            return ExitCode.FAILED;
        }
    }

    /** For its owner only: it may hold payloads. */
    private static PrintWriter newFile(Path file) throws IOException {
        PrivateFile.create(file);
        return new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8, StandardOpenOption.WRITE));
    }

    private long write(Selection selection, PrintWriter writer) {
        long most = limit == null ? Long.MAX_VALUE : atLeastOne(limit);
        Optional<CountProgress> progress = progress(selection, most);
        long written = 0;
        Iterator<DeadLetter> letters = selection.iterator();
        while (written < most && letters.hasNext()) {
            DeadLetter letter = letters.next();
            Fields fields = payload ? selection.withContent(letter) : LetterJson.fields(letter, false);
            writer.println(Json.write(fields.map()));
            written++;
            if (written % BLOCK == 0) {
                requireReader(writer);
                long done = written;
                progress.ifPresent(shown -> shown.show(done));
            }
        }
        requireReader(writer);
        return written;
    }

    /** Where to show progress; empty where the letters themselves are shown on a terminal. */
    private Optional<CountProgress> progress(Selection selection, long most) {
        return file == null && Terminal.isPresent()
                ? Optional.empty()
                : Optional.of(new CountProgress(Progress.of(err(), false), Math.min(most, selection.count(COUNTED))));
    }

    private static void requireReader(PrintWriter writer) {
        if (writer.checkError()) {
            throw new OutputLostException();
        }
    }
}
