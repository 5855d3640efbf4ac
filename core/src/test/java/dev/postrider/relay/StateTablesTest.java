package dev.postrider.relay;

import static net.bytebuddy.matcher.ElementMatchers.anyOf;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.AgentBuilder.RedefinitionStrategy;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;
import org.junit.jupiter.api.Test;

/**
 * The tables in the Javadoc of {@link Lines} are those that the code follows, and random histories walk through all of them. What they
 * forbid ends a worker's step with an exception, and with it the history.
 */
class StateTablesTest {

    private static final int HISTORIES = 300;

    /** From here on some hundred histories visit every cell today; when the engine changes, it may take more. */
    private static final long FIRST_HOT_KEY = 1146;

    private static final long LAST_HOT_KEY = FIRST_HOT_KEY + 5_000;

    @Test
    void rowsFollowTheTableThatIsWrittenDown() throws IOException {
        Table.read("row").compare(RowState.values(), RowState.Event.values(), RowState::after);
    }

    @Test
    void linesFollowTheTableThatIsWrittenDown() throws IOException {
        Table.read("line").compare(LineState.values(), LineState.Event.values(), LineState::after);
    }

    /** A cell that no history visits is one that the engine does not need. */
    @Test
    void areWalkedFromEndToEnd() throws IOException {
        ResettableClassFileTransformer recorder = new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(RedefinitionStrategy.RETRANSFORMATION)
                .type(anyOf(RowState.class, LineState.class))
                .transform((builder, type, loader, module, domain) ->
                        builder.visit(Advice.to(Step.class).on(named("after"))))
                .installOn(ByteBuddyAgent.install());
        Set<String> cells = new TreeSet<>(Table.read("row").cells());
        cells.addAll(Table.read("line").cells());
        try {
            LongStream.range(0, HISTORIES).forEach(seed -> new Simulation(seed).run(400));
            for (long seed = FIRST_HOT_KEY; seed < LAST_HOT_KEY && !Step.VISITED.containsAll(cells); seed++) {
                Simulation.ofOneHotKey(seed).run(400);
            }
        } finally {
            recorder.reset(ByteBuddyAgent.getInstrumentation(), RedefinitionStrategy.RETRANSFORMATION);
        }

        assertThat(Step.VISITED).isEqualTo(cells);
    }

    /** What is written into the methods that take a step. Public, since it is called from there. */
    public static final class Step {

        public static final Set<String> VISITED = new ConcurrentSkipListSet<>();

        private Step() {}

        @Advice.OnMethodEnter
        static void enter(@Advice.This Object from, @Advice.Argument(0) Object event) {
            VISITED.add((from instanceof LineState ? "line " : "row ") + from + " " + event);
        }
    }

    /** One of the tables: a line of events, then one for each state. */
    private record Table(List<List<String>> rows) {

        private static final Path SOURCE = Path.of("src/main/java/dev/postrider/relay/Lines.java");

        /** The one whose first cell says this. */
        static Table read(String name) throws IOException {
            return new Table(Files.readAllLines(SOURCE).stream()
                    .dropWhile(line -> !line.matches(" \\* " + name + " +\\|.*"))
                    .takeWhile(line -> line.contains("|"))
                    .map(line -> Arrays.stream(line.substring(3).split("\\|", -1))
                            .map(String::strip)
                            .toList())
                    .toList());
        }

        <S extends Enum<S>, E extends Enum<E>> void compare(S[] states, E[] events, BiFunction<S, E, S> after) {
            assertThat(rows.get(0).stream().skip(1)).containsExactlyElementsOf(names(events));
            assertThat(rows.stream().skip(1).map(row -> row.get(0))).containsExactlyElementsOf(names(states));
            for (S state : states) {
                for (E event : events) {
                    String written = rows.get(1 + state.ordinal()).get(1 + event.ordinal());
                    check(state, event, after, written);
                }
            }
        }

        private static List<String> names(Enum<?>[] constants) {
            return Stream.of(constants).map(Enum::name).toList();
        }

        private static <S, E> void check(S state, E event, BiFunction<S, E, S> after, String written) {
            if (written.isEmpty()) {
                assertThatThrownBy(() -> after.apply(state, event)).isInstanceOf(IllegalStateException.class);
            } else {
                assertThat(after.apply(state, event)).as("%s %s", state, event).hasToString(written);
            }
        }

        /** What can happen, as {@link Step} writes it down. */
        Set<String> cells() {
            Set<String> cells = new TreeSet<>();
            List<String> events = rows.get(0);
            for (List<String> row : rows.subList(1, rows.size())) {
                for (int i = 1; i < events.size(); i++) {
                    if (!row.get(i).isEmpty()) {
                        cells.add(events.get(0) + " " + row.get(0) + " " + events.get(i));
                    }
                }
            }
            return cells;
        }
    }
}
