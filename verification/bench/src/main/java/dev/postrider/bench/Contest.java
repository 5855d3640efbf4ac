package dev.postrider.bench;

import static java.util.Objects.requireNonNull;

import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Round;
import dev.postrider.bench.measure.Rounds;
import dev.postrider.bench.measure.RoundsBySubject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Lets subjects take turns, round by round, so that what disturbs the machine disturbs all alike. The warm-up does
 * not count. How many rounds there are, and how large, {@link Pace} decides. Not thread-safe.
 *
 * <pre>{@code
 * new Contest(context)
 *         .subject("jdbc-loop", messages -> …)
 *         .subject("postrider", messages -> …)
 *         .run("postrider", "jdbc-loop");
 * }</pre>
 */
public final class Contest {

    private final BenchContext context;
    private final Map<String, Turn> subjects = new HashMap<>();
    private final List<String> order = new ArrayList<>();
    private final Map<String, Rounds> rounds = new LinkedHashMap<>();
    private double share = 1;
    private boolean isScalable = true;
    private boolean isRotating;

    public Contest(BenchContext context) {
        this.context = context;
    }

    /** One more subject. */
    public Contest subject(String name, Turn turn) {
        subjects.put(name, turn);
        order.add(name);
        rounds.put(name, new Rounds());
        return this;
    }

    /** Leaves time for others: this one has such a share of what is left. */
    public Contest share(double ofTheTimeLeft) {
        share = ofTheTimeLeft;
        return this;
    }

    /** What a turn does is the same however many messages are asked for. */
    public Contest equalTurns() {
        isScalable = false;
        return this;
    }

    /**
     * Lets another subject begin each round, so that what disturbs the machine as often as rounds begin, such as a database's checkpoints,
     * does not meet the same one each time. For subjects that leave nothing behind.
     */
    public Contest rotate() {
        isRotating = true;
        return this;
    }

    /** Runs all rounds; returns a line for each subject, and the line of {@code subject} is compared with {@code to}. */
    public List<Measurement> run(String subject, String to) throws Exception {
        Rounds other = run().of(to);
        List<Measurement> lines = new ArrayList<>();
        rounds.forEach((name, own) -> {
            Measurement line = own.measured(name);
            lines.add(name.equals(subject) ? line.comparedWith(own.medianRatioTo(other), to) : line);
        });
        return lines;
    }

    /** Runs all rounds; returns those of each subject. */
    public RoundsBySubject run() throws Exception {
        RoundSchedule schedule = context.pace().begin(share, isScalable);
        long took = warmUp(schedule);
        while (!schedule.isWarm()) {
            schedule.goOn();
            took = warmUp(schedule);
        }
        schedule.begin(took);
        while (schedule.hasNext()) {
            schedule.finished(takeTurns(schedule.next(), schedule.messages(), this::count));
        }
        context.pace().did(schedule.work());
        return new RoundsBySubject(rounds);
    }

    private long warmUp(RoundSchedule schedule) throws Exception {
        return takeTurns("warm-up", schedule.messages(), (subject, round) -> {});
    }

    /** Returns how long all of them took. */
    private long takeTurns(String label, int messages, BiConsumer<String, Round> results) throws Exception {
        long start = System.nanoTime();
        for (String subject : order) {
            context.progress(label + ", " + subject);
            results.accept(subject, requireNonNull(subjects.get(subject)).take(messages));
        }
        if (isRotating) {
            Collections.rotate(order, -1);
        }
        return System.nanoTime() - start;
    }

    private void count(String subject, Round round) {
        requireNonNull(rounds.get(subject)).add(round, context.usage().during(round.span()));
    }

    /** What a subject does in a round, from preparing to counting what arrived. */
    @FunctionalInterface
    public interface Turn {
        Round take(int messages) throws Exception;
    }
}
