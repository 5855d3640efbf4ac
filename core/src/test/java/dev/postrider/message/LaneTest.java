package dev.postrider.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LaneTest {

    /** Computed by another implementation of the rule; writers in other languages test themselves with the same file. */
    private static final Path VECTORS = Path.of("..", "docs", "reference", "lane-vectors.csv");

    @Test
    void agreesWithEveryPublishedVector() throws IOException {
        List<String> lines = Files.readAllLines(VECTORS);

        assertThat(lines).hasSizeGreaterThan(100).first().isEqualTo("kind,value,lanes,lane");
        assertThat(lines.subList(1, lines.size())).allSatisfy(line -> {
            String[] columns = line.split(",");
            int lanes = Integer.parseInt(columns[2]);
            assertThat(laneOf(columns[0], columns[1], lanes)).isEqualTo(Integer.parseInt(columns[3]));
        });
    }

    private static int laneOf(String kind, String value, int lanes) {
        return switch (kind) {
            case "key" -> Lane.forKey(value, lanes);
            case "id" -> Lane.forId(MessageId.of(value), lanes);
            default -> throw new IllegalArgumentException(kind);
        };
    }

    @Property
    void staysInsideTheLaneCount(@ForAll String key, @ForAll @IntRange(min = 1, max = Lane.MAX_COUNT) int lanes) {
        assertThat(Lane.forKey(key, lanes)).isBetween(0, lanes - 1);
    }

    @Test
    void followsTheKeyOfAMessageWhereItHasOne() {
        OutboxMessage message = message().key("order-1").build();

        assertThat(Lane.of(message, 16)).isEqualTo(Lane.forKey("order-1", 16));
    }

    @Test
    void followsTheIdOfAMessageWithoutKey() {
        OutboxMessage message = message().build();

        assertThat(Lane.of(message, 1024)).isEqualTo(Lane.forId(message.id(), 1024));
    }

    @Test
    void spreadsKeysEvenly() {
        int[] perLane = new int[16];
        for (int i = 0; i < 16_000; i++) {
            perLane[Lane.forKey("customer-" + i, 16)]++;
        }

        assertThat(IntStream.of(perLane)).allSatisfy(count -> assertThat(count).isBetween(850, 1150));
    }

    private static OutboxMessage.Builder message() {
        return OutboxMessage.builder("orders").type("OrderPlaced");
    }
}
