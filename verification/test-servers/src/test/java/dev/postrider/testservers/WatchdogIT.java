package dev.postrider.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchdogIT {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    private Process owner;
    private Process server;
    private ServerDirectory files;

    @BeforeEach
    void recordServer() throws IOException {
        owner = new ProcessBuilder("sleep", "600").start();
        server = new ProcessBuilder("sleep", "600").start();
        files = ServerDirectory.create(directory.resolve("some-server"));
        files.writePid(identity(server), "TERM");
        Files.createDirectory(files.data());
        Files.writeString(files.log(), "kept");
    }

    @AfterEach
    void endProcesses() {
        owner.destroyForcibly();
        server.destroyForcibly();
    }

    @Test
    void endsServersWhenTheirOwnerIsKilled() {
        Watchdog.guard(identity(owner), directory);
        assertThat(identity(server).isAlive()).isTrue();

        owner.destroyForcibly();

        assertThat(Await.until(SOON, () -> !Files.exists(files.data()))).isTrue();
        assertThat(identityIsDead(server)).isTrue();
        assertThat(files.log()).hasContent("kept");
    }

    @Test
    void endsServersThatAreFrozen() {
        ProcessInstance.send("STOP", java.util.List.of(identity(server)));

        Watchdog.clearUp(directory);

        assertThat(identityIsDead(server)).isTrue();
        assertThat(directory).doesNotExist();
    }

    @Test
    void leavesAProcessAloneThatGotTheNumberOfADeadServer() {
        files.writePid(new ProcessIdentity(server.pid(), identity(server).startedAt() + 1), "TERM");

        Watchdog.clearUp(directory);

        assertThat(identity(server).isAlive()).isTrue();
    }

    private static ProcessIdentity identity(Process process) {
        return ProcessIdentity.of(process.pid());
    }

    private static boolean identityIsDead(Process process) {
        return Await.until(SOON, () -> !process.isAlive());
    }
}
