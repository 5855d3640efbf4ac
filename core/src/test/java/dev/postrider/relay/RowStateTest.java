package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.relay.RowState.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The table in the Javadoc of {@link Lines} is the one that the code follows. What it forbids would end a worker's step with an exception, and
 * with it each history of {@link RelayModelTest}.
 */
class RowStateTest {

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
