package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A relay that is told to end, or cannot go on, before it has delivered anything. */
@Timeout(300)
class RelayStartIT {

    @TempDir
    private Path directory;

    private RelayProcess relay(String url, int port) throws IOException {
        Path config = Files.writeString(directory.resolve("postrider.yaml"), """
                http: {port: %d}
                destinations: {out: {type: log}}
                outboxes: {orders: {database: {url: "%s"}, schema-mode: create}}
                """.formatted(port, url));
        return RelayProcess.start(directory, Map.of(), "relay", "--config", config.toString());
    }

    @Test
    void endsOnSigtermWhileItsDatabaseCannotBeReached() throws IOException {
        try (RelayProcess relay = relay("jdbc:postgresql://127.0.0.1:1/none", 0)) {
            relay.await(() -> relay.err().contains("Cannot open the outbox yet"));
            assertThat(relay.get("/ready")).startsWith("503");
            relay.terminate();
            assertThat(relay.exitCode()).isEqualTo(143);
            assertThat(relay.err()).doesNotContain("\tat ");
        }
    }

    @Test
    void endsOnSigtermAtTheMomentAtWhichItStarts() throws IOException {
        try (RelayProcess relay = relay("jdbc:h2:mem:start", 0)) {
            relay.await(() -> relay.err().contains("Answering at"));
            relay.terminate();
            assertThat(relay.exitCode()).isEqualTo(143);
            assertThat(relay.err()).doesNotContain("\tat ");
        }
    }

    /** An H2 of this process must not close itself before the relay has released its lanes. */
    @Test
    void releasesItsLanesOnSigtermWithADatabaseOfItsOwn() throws IOException {
        try (RelayProcess relay = relay("jdbc:h2:" + directory.resolve("app"), 0)) {
            relay.await(() -> relay.err().contains("This relay owns 16 of 16 lanes"));
            relay.terminate();
            assertThat(relay.exitCode()).isEqualTo(143);
            assertThat(relay.err()).contains("The relay is closed").doesNotContain("\tat ");
        }
    }

    @Test
    void saysThatItsPortIsTaken() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                RelayProcess relay = relay("jdbc:h2:mem:port", other.getLocalPort())) {
            assertThat(relay.exitCode()).isEqualTo(2);
            assertThat(relay.err())
                    .contains("Cannot listen at 127.0.0.1:" + other.getLocalPort(), "Choose another http.port")
                    .doesNotContain("\tat ");
        }
    }
}
