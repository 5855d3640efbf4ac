package dev.postrider.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * RabbitMQ: a node of its own with everything in its data directory, beside whatever the system runs. Erlang's port mapper
 * is a child of the node's script, on a port of its own, so that it ends with the node.
 */
final class RabbitmqEngine implements BrokerEngine {

    @Override
    public BrokerKind kind() {
        return BrokerKind.RABBITMQ;
    }

    @Override
    public List<InstallationSource> sources() {
        return List.of(RabbitmqEngine::installed, RabbitmqEngine::fromDebian);
    }

    /** Not the one in sbin, which changes the user and drops the environment. */
    private static Installation installed() {
        Path program = Path.of("/usr/lib/rabbitmq/bin/rabbitmq-server");
        if (!Files.isExecutable(program)) {
            throw new ServerUnavailableException("no " + program + " is installed");
        }
        return new Installation("installed as " + program, Path.of("/usr"), program, Runner.PLAIN);
    }

    private static Installation fromDebian() {
        Path home = DebianPackage.unpack("own", "rabbitmq-server").root().resolve("usr");
        relocate(home.resolve("lib/erlang"));
        return new Installation("of Debian", home, home.resolve("lib/rabbitmq/bin/rabbitmq-server"), Runner.PLAIN);
    }

    /** Erlang's starter has the place where Debian installs it written into it. */
    private static void relocate(Path erlang) {
        Path starter = erlang.resolve("bin/erl");
        try {
            String text = Files.readString(starter);
            String there = text.replace("ROOTDIR=/usr/lib/erlang", "ROOTDIR=" + erlang);
            if (!there.equals(text)) {
                Path whole = Files.writeString(Files.createTempFile(erlang, "erl", ""), there);
                Command.run("chmod", "755", whole.toString());
                Files.move(whole, starter, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public boolean hasTlsPort() {
        return true;
    }

    @Override
    public List<String> prepare(Installation installation, Path data, int port, int tlsPort) {
        try {
            Files.writeString(data.resolve("rabbitmq.conf"), configuration(port, tlsPort));
            Files.writeString(data.resolve("enabled_plugins"), "[].\n");
            Files.writeString(data.resolve("environment"), environment(installation, data, port));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return command(data, "rabbitmq-server");
    }

    /** The command line of a RabbitMQ program for the node on that data directory. */
    static List<String> command(Path data, String... program) {
        var command = new ArrayList<>(List.of("sh", "-c", script(), "postrider-rabbitmq", data.toString()));
        command.addAll(List.of(program));
        return command;
    }

    private static String configuration(int port, int tlsPort) {
        BrokerAddress account = BrokerAddress.local(BrokerKind.RABBITMQ, port);
        TestCertificate certificate = TestCertificate.forThisMachine();
        return """
                listeners.tcp.1 = 127.0.0.1:%d
                listeners.ssl.1 = 127.0.0.1:%d
                ssl_options.cacertfile = %s
                ssl_options.certfile = %s
                ssl_options.keyfile = %s
                ssl_options.verify = verify_none
                default_user = %s
                default_pass = %s
                disk_free_limit.absolute = 10MB
                """.formatted(
                        port,
                        tlsPort,
                        certificate.certificatePem(),
                        certificate.certificatePem(),
                        certificate.keyPem(),
                        account.user(),
                        account.password());
    }

    private static String environment(Installation installation, Path data, int port) {
        Path home = installation.home();
        // No busy waiting: the node shares few cores with the tests.
        return """
                PROGRAMS=%1$s
                PATH=%2$s/lib/erlang/bin:$PATH
                LD_LIBRARY_PATH=%3$s
                HOME=%4$s/home
                LC_ALL=C.UTF-8
                ERL_EPMD_PORT=%5$d
                ERL_EPMD_ADDRESS=127.0.0.1
                RABBITMQ_NODENAME=postrider%6$d@localhost
                RABBITMQ_DIST_PORT=%7$d
                RABBITMQ_MNESIA_BASE=%4$s/mnesia
                RABBITMQ_LOG_BASE=%4$s/log
                RABBITMQ_LOGS=-
                ERL_CRASH_DUMP=%4$s/erl_crash.dump
                RABBITMQ_ENABLED_PLUGINS_FILE=%4$s/enabled_plugins
                RABBITMQ_CONF_ENV_FILE=/dev/null
                RABBITMQ_CONFIG_FILE=%4$s/rabbitmq
                RABBITMQ_ADVANCED_CONFIG_FILE=%4$s/advanced
                RABBITMQ_PID_FILE=%4$s/pid
                RABBITMQ_GENERATED_CONFIG_DIR=%4$s/generated
                RABBITMQ_FEATURE_FLAGS_FILE=%4$s/feature_flags
                RABBITMQ_SCHEMA_DIR=%4$s/schema
                RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='+sbwt none +sbwtdcpu none +sbwtdio none'
                """.formatted(
                        installation.program().getParent(),
                        home,
                        libraries(home),
                        data,
                        FreePort.pick(),
                        port,
                        FreePort.pick());
    }

    /** Those that came along; an installed one finds the system's. */
    private static String libraries(Path home) {
        return home.equals(Path.of("/usr")) ? "" : String.join(":", new DebianPackage(home.getParent()).libraries());
    }

    private static String script() {
        try (InputStream resource = RabbitmqEngine.class.getResourceAsStream("rabbitmq.sh")) {
            return new String(Objects.requireNonNull(resource).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** A kill of the script alone would leave the node behind. */
    @Override
    public EndSignals endSignals() {
        return new EndSignals("TERM", "TERM");
    }

    @Override
    public ContainerImage container() {
        BrokerAddress account = BrokerAddress.local(BrokerKind.RABBITMQ, 5672);
        return new ContainerImage(
                "rabbitmq:3",
                5672,
                List.of("RABBITMQ_DEFAULT_USER=" + account.user(), "RABBITMQ_DEFAULT_PASS=" + account.password()),
                List.of());
    }
}
