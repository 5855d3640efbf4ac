package dev.postrider.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** NATS with JetStream, which speaks plainly and with TLS on one port. */
final class NatsEngine implements BrokerEngine {

    private final String users;
    private final TestCertificate certificate;

    /** With the usual account only, and the certificate for this machine. */
    NatsEngine() {
        this("", TestCertificate.forThisMachine());
    }

    /** @param users further users, as they stand in a list of the server's configuration */
    NatsEngine(String users, TestCertificate certificate) {
        this.users = users;
        this.certificate = certificate;
    }

    @Override
    public BrokerKind kind() {
        return BrokerKind.NATS;
    }

    @Override
    public List<InstallationSource> sources() {
        return List.of(NatsEngine::installed, NatsEngine::fromDebian);
    }

    private static Installation installed() {
        Path program = InstalledProgram.find("nats-server", List.of(Path.of("/usr/sbin")));
        return new Installation("installed as " + program, program.getParent(), program, Runner.PLAIN);
    }

    /** The unstable suite has a release of this year; that of older suites is years old. */
    private static Installation fromDebian() {
        DebianPackage unpacked = DebianPackage.unpack("sid", "nats-server");
        Path home = unpacked.root().resolve("usr");
        return new Installation(
                "of Debian sid", home, home.resolve("sbin/nats-server"), Runner.PLAIN.then(unpacked.loader()));
    }

    @Override
    public boolean hasTlsPort() {
        return false;
    }

    @Override
    public List<String> prepare(Installation installation, Path data, int port, int tlsPort) {
        Path file = data.resolve("nats.conf");
        try {
            Files.writeString(file, configuration(data, port));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return installation.command(installation.program(), List.of("-c", file.toString()));
    }

    private String configuration(Path data, int port) {
        BrokerAddress account = BrokerAddress.local(BrokerKind.NATS, port);
        return """
                listen: "127.0.0.1:%d"
                jetstream { store_dir: "%s" }
                authorization { users: [ { user: "%s", password: "%s" }, %s ] }
                tls { cert_file: "%s", key_file: "%s" }
                allow_non_tls: true
                """.formatted(
                        port,
                        data.resolve("store"),
                        account.user(),
                        account.password(),
                        users,
                        certificate.certificatePem(),
                        certificate.keyPem());
    }

    @Override
    public ContainerImage container() {
        BrokerAddress account = BrokerAddress.local(BrokerKind.NATS, 4222);
        return new ContainerImage(
                "nats:2",
                4222,
                List.of(),
                List.of("--jetstream", "--user", account.user(), "--pass", account.password()));
    }
}
