package dev.postrider.bench;

import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Round;
import dev.postrider.bench.measure.Rounds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets subjects take turns, round by round, so that what disturbs the machine disturbs all alike. The first round warms up and does
 * not count. Not thread-safe.
 *
 * <pre>{@code
 * new Contest(context)
 *         .subject("jdbc-loop", () -> …)
 *         .subject("postrider", () -> …)
 *         .run("postrider", "jdbc-loop");
 * }</pre>
 */
public final class Contest {

    private final BenchContext context;
    private final Map<String, Turn> subjects = new LinkedHashMap<>();
    private final Map<String, Rounds> rounds = new LinkedHashMap<>();

    public Contest(BenchContext context) {
        this.context = context;
    }

    /** One more subject. */
    public Contest subject(String name, Turn turn) {
        subjects.put(name, turn);
        rounds.put(name, new Rounds());
        return this;
    }

    /** Runs all rounds; returns a line for each subject, of which this one is compared with that one. */
    public List<Measurement> run(String subject, String to) throws Exception {
        run();
        List<Measurement> lines = new ArrayList<>();
        rounds.forEach((name, own) -> {
            Measurement line = own.measured(name);
            lines.add(name.equals(subject) ? line.comparedWith(own.medianRatioTo(rounds.get(to)), to) : line);
        });
        return lines;
    }

    /** Runs all rounds; returns those of each subject. */
    public Map<String, Rounds> run() throws Exception {
        for (int round = 0; round <= context.size().rounds(); round++) {
            String label = round == 0
                    ? "warm-up"
                    : "round %d of %d".formatted(round, context.size().rounds());
            for (Map.Entry<String, Turn> subject : subjects.entrySet()) {
                context.progress(label + ", " + subject.getKey());
                Round result = subject.getValue().take();
                if (round > 0) {
                    rounds.get(subject.getKey()).add(result, context.usage().during(result.span()));
                }
            }
        }
        return rounds;
    }

    /** What a subject does in a round, from preparing to counting what arrived. */
    @FunctionalInterface
    public interface Turn {
        Round take() throws Exception;
    }
}
