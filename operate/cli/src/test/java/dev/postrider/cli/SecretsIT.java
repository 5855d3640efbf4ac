package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.SchemaMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No command shows a secret, wherever it comes from, whether it is right, wrong or of no use. */
class SecretsIT {

    private static final String SECRET = "s3cr3t'@/,pw";
    private static final String WRONG = "wr0ng'@/,pw";

    /** One of each kind: what looks, what changes, what repeats, what shows much. */
    private static final List<String> COMMANDS = List.of(
            "status", "doctor", "pause out", "tail --once", "cleanup --once --retention 1h --verbose", "schema apply");

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private Shell shell = new Shell();

    @TempDir
    private Path directory;

    @BeforeEach
    void createOutbox() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL(url);
        dataSource.setUser("ann");
        dataSource.setPassword(SECRET);
        H2OutboxStore.builder(dataSource)
                .audit(AuditTrail.PLAIN)
                .schemaMode(SchemaMode.CREATE)
                .build();
    }

    /** Runs all commands with these options; the first one tells whether the password was right. */
    private void assertSilent(boolean isRight, String... options) {
        for (String command : COMMANDS) {
            int code = shell.run(Stream.concat(Stream.of(command.split(" ")), Stream.of(options))
                    .toArray(String[]::new));
            if (command.equals("status")) {
                assertThat(code).as(shell.err()).isEqualTo(isRight ? 0 : 1);
            }
            assertThat(shell.out() + shell.err())
                    .as(command)
                    .doesNotContain("s3cr3t", "wr0ng", ",pw")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void inTheAddress() {
        assertSilent(true, "--url", url + ";USER=ann;PASSWORD=" + SECRET);
        assertSilent(false, "--url", url + ";USER=ann;PASSWORD=" + WRONG);
        assertSilent(false, "--url", "jdbc:postgresql://ann:" + SECRET + "@127.0.0.1:1/x");
        assertSilent(false, "--url", "jdbc:mysql://ann:" + SECRET + "@127.0.0.1:1/x");
        assertSilent(false, "--url", "jdbc:mariadb://127.0.0.1:1/x?user=ann&password=" + SECRET);
    }

    @Test
    void withCharactersThatAreNoneOfAnAddress() {
        for (String odd : List.of("s3cr3t ,pw", "s3cr3t^ ,pw", "s3cr3t%,pw", "s3cr3t\",pw", "s3cr3t\\$1,pw")) {
            assertSilent(false, "--url", "jdbc:mysql://ann:" + odd + "@127.0.0.1:1/x");
            assertSilent(false, "--url", "jdbc:mariadb://127.0.0.1:1/x?user=ann&password=" + odd);
            for (String broker : List.of("amqp", "nats", "ftp")) {
                for (String command : List.of("prove", "bench rabbitmq --messages 1 --rounds 1")) {
                    shell.run(Stream.concat(
                                    Stream.of(command.split(" ")),
                                    Stream.of(
                                            "--store", url, "--destination", broker + "://ann:" + odd + "@127.0.0.1:1"))
                            .toArray(String[]::new));
                    assertThat(shell.out() + shell.err()).as(command).doesNotContain("s3cr3t", ",pw");
                }
            }
        }
    }

    @Test
    void warnsOfAPasswordThatOthersCanReadInTheListOfProcesses() {
        String address = url + ";USER=ann;PASSWORD=" + SECRET;

        assertThat(shell.run("status", "--url", address)).isZero();
        assertThat(shell.err()).contains("a password stands on the command line", "POSTRIDER_URL");

        shell = new Shell().set("POSTRIDER_URL", address);
        assertThat(shell.run("status")).isZero();
        assertThat(shell.err()).doesNotContain("command line");
    }

    @Test
    void inAnAddressThatIsNone() {
        for (String command : COMMANDS) {
            assertThat(shell.run(Stream.concat(
                                    Stream.of(command.split(" ")),
                                    Stream.of("--url", "jdbc:unknown://ann:" + SECRET + "@x/y?password=" + SECRET))
                            .toArray(String[]::new)))
                    .isEqualTo(2);
            assertThat(shell.out() + shell.err()).doesNotContain("s3cr3t", ",pw");
        }
    }

    @Test
    void inAFile() throws IOException {
        Path right = Files.writeString(directory.resolve("right"), SECRET + "\n");
        Path wrong = Files.writeString(directory.resolve("wrong"), WRONG);
        assertSilent(true, "--url", url, "--user", "ann", "--password-file", right.toString());
        assertSilent(false, "--url", url, "--user", "ann", "--password-file", wrong.toString());
    }

    @Test
    void inTheEnvironment() {
        shell.set("POSTRIDER_URL", url).set("POSTRIDER_USER", "ann").set("POSTRIDER_PASSWORD", SECRET);
        assertSilent(true);
        shell.set("POSTRIDER_PASSWORD", WRONG);
        assertSilent(false);
    }

    @Test
    void inTheConfiguration() throws IOException {
        Path file = Files.writeString(directory.resolve("postrider.yaml"), """
                destinations:
                  out: {type: nats, servers: "nats://bob:s3cr3t@127.0.0.1:1"}
                outboxes:
                  main:
                    database: {url: "%s", user: ann, password: "${DB_PASSWORD}"}
                """.formatted(url));
        shell.set("DB_PASSWORD", SECRET);
        assertSilent(true, "--config", file.toString());
        shell.set("DB_PASSWORD", WRONG);
        assertSilent(false, "--config", file.toString());
        for (String mode : List.of("--check", "--once")) {
            assertThat(shell.run("relay", mode, "--config", file.toString())).isEqualTo(1);
            assertThat(shell.out() + shell.err()).doesNotContain("s3cr3t", "wr0ng", ",pw");
        }
    }
}
