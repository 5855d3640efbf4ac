package dev.postrider.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The guide of Kafka says of speed and fencing what the figures and the code say. */
class KafkaGuideFiguresTest {

    private static final Pattern MEASURED =
            Pattern.compile("Kafka, against the bare client \\|[^|]*\\| \\**([0-9.]+)\\** \\|");

    @Test
    void quotesTheMeasuredRate() throws IOException {
        Matcher measured = MEASURED.matcher(Files.readString(Guide.ROOT.resolve("README.md")));
        assertThat(measured.find()).isTrue();

        assertThat(guide()).contains("delivers " + measured.group(1) + " as fast as a bare producer");
    }

    /** There is an option for what the guide once said could not be. */
    @Test
    void doesNotRefuseWhatItExplains() throws IOException {
        assertThat(guide()).contains("## Fencing former owners").doesNotContain("is not told which lanes");
    }

    private static String guide() throws IOException {
        return Files.readString(Guide.ROOT.resolve("docs/guides/kafka.md"));
    }
}
