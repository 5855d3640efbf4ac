package dev.postrider.relay;

import static net.bytebuddy.matcher.ElementMatchers.is;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.relay.RowState.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.LongStream;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.AgentBuilder.RedefinitionStrategy;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;
import org.junit.jupiter.api.Test;

/**
 * The table in the Javadoc of {@link Lines} is the one that the code follows, and random histories walk through all of it. What it forbids
 * would end a worker's step with an exception, and with it the history.
 */
class RowStateTest {

    private static final int HISTORIES = 300;
    private static final Path SOURCE = Path.of("src/main/java/dev/postrider/relay/Lines.java");

    @Test
    void followsTheTableThatIsWrittenDown() throws IOException {
        List<String[]> table = table();
        Event[] events = Arrays.stream(table.get(0)).skip(1).map(Event::valueOf).toArray(Event[]::new);
        assertThat(events).containsExactly(Event.values());
        assertThat(table).hasSize(1 + RowState.values().length);
        for (String[] row : table.subList(1, table.size())) {
            for (int i = 0; i < events.length; i++) {
                check(RowState.valueOf(row[0]), events[i], i + 1 < row.length ? row[i + 1] : "");
            }
        }
    }

    /** A cell that no history visits is one that the engine does not need. */
    @Test
    void isWalkedFromEndToEnd() throws IOException {
        ResettableClassFileTransformer recorder = new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(RedefinitionStrategy.RETRANSFORMATION)
                .type(is(RowState.class))
                .transform((builder, type, loader, module, domain) ->
                        builder.visit(Advice.to(Step.class).on(named("after"))))
                .installOn(ByteBuddyAgent.install());
        try {
            LongStream.range(0, HISTORIES).forEach(seed -> new Simulation(seed).run(400));
        } finally {
            recorder.reset(ByteBuddyAgent.getInstrumentation(), RedefinitionStrategy.RETRANSFORMATION);
        }

        assertThat(Step.VISITED).isEqualTo(cells());
    }

    private static Set<String> cells() throws IOException {
        List<String[]> table = table();
        Set<String> cells = new TreeSet<>();
        for (String[] row : table.subList(1, table.size())) {
            for (int i = 1; i < row.length; i++) {
                if (!row[i].isEmpty()) {
                    cells.add(row[0] + " " + table.get(0)[i]);
                }
            }
        }
        return cells;
    }

    /** What is written into the method that takes a step. Public, since it is called from there. */
    public static final class Step {

        public static final Set<String> VISITED = new ConcurrentSkipListSet<>();

        private Step() {}

        @Advice.OnMethodEnter
        static void enter(@Advice.This Object from, @Advice.Argument(0) Object event) {
            VISITED.add(from + " " + event);
        }
    }

    private static void check(RowState from, Event event, String written) {
        if (written.isEmpty()) {
            assertThatThrownBy(() -> from.after(event)).isInstanceOf(IllegalStateException.class);
        } else {
            assertThat(from.after(event)).as("%s %s", from, event).isEqualTo(RowState.valueOf(written));
        }
    }

    private static List<String[]> table() throws IOException {
        return Files.readAllLines(SOURCE).stream()
                .filter(line -> line.startsWith(" * ") && line.contains("|"))
                .map(line -> Arrays.stream(line.substring(3).split("\\|"))
                        .map(String::strip)
                        .toArray(String[]::new))
                .toList();
    }
}
