package dev.postrider.cli.output;

import dev.postrider.service.operation.Fields;
import dev.postrider.service.operation.Json;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Supplier;

/** Prints results on standard output, for people or for programs. */
public final class Answers {

    private final PrintWriter out;
    private final boolean isJson;

    public Answers(PrintWriter out, boolean isJson) {
        this.out = out;
        this.isJson = isJson;
    }

    /**
     * Prints one result.
     *
     * @throws OutputLostException when nobody can read it: what would go on for ever or for long shall end
     */
    public void print(Supplier<List<String>> lines, Supplier<Fields> fields) {
        if (isJson) {
            out.println(Json.write(fields.get().map()));
        } else {
            lines.get().forEach(out::println);
        }
        // Flushes, too.
        if (out.checkError()) {
            throw new OutputLostException();
        }
    }

    public boolean isJson() {
        return isJson;
    }
}
