package dev.postrider.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A self-signed certificate and its key, for {@code 127.0.0.1} and {@code localhost} unless told otherwise: nobody trusts it
 * but those who are told to. Made once by the JDK's own keytool and kept in the cache.
 *
 * @param directory holds {@code certificate.pem}, {@code key.pem} and the key store {@code identity.p12}
 */
public record TestCertificate(Path directory) {

    /** The password of the key store; no secret, the certificate is for tests only. */
    public static final String STORE_PASSWORD = "postrider";

    private static final String ALIAS = "server";
    private static final Base64.Encoder PEM = Base64.getMimeEncoder(64, new byte[] {'\n'});

    /** The certificate of all test servers on this machine. */
    public static TestCertificate forThisMachine() {
        return new TestCertificate(
                Cache.once("certificate-1", directory -> make(directory, "san=dns:localhost,ip:127.0.0.1")));
    }

    /** A certificate for {@code other.example}, which no test server is. */
    public static TestCertificate forAnotherHost() {
        return new TestCertificate(
                Cache.once("certificate-other-1", directory -> make(directory, "san=dns:other.example")));
    }

    /** The certificate, as servers outside Java want it. */
    public Path certificatePem() {
        return directory.resolve("certificate.pem");
    }

    /** The unencrypted private key, as servers outside Java want it. */
    public Path keyPem() {
        return directory.resolve("key.pem");
    }

    /** Certificate and key as a PKCS #12 key store; also serves as a trust store. */
    public Path keyStore() {
        return directory.resolve("identity.p12");
    }

    /** A client's context that trusts this certificate and no other. */
    public SSLContext trusting() {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry(ALIAS, open(directory).getCertificate(ALIAS));
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException failed) {
            throw new IllegalStateException("Cannot use the certificate in " + directory, failed);
        }
    }

    private static void make(Path directory, String names) {
        try {
            Files.createDirectories(directory);
            generate(directory, names);
            KeyStore store = open(directory);
            write(
                    directory.resolve("certificate.pem"),
                    "CERTIFICATE",
                    store.getCertificate(ALIAS).getEncoded());
            write(
                    directory.resolve("key.pem"),
                    "PRIVATE KEY",
                    store.getKey(ALIAS, STORE_PASSWORD.toCharArray()).getEncoded());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (GeneralSecurityException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void generate(Path directory, String names) {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Path store = directory.resolve("identity.p12");
        Command.run(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-validity",
                "3650",
                "-dname",
                "CN=localhost",
                "-ext",
                names,
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                STORE_PASSWORD);
    }

    private static KeyStore open(Path directory) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream file = Files.newInputStream(directory.resolve("identity.p12"))) {
            store.load(file, STORE_PASSWORD.toCharArray());
        }
        return store;
    }

    private static void write(Path file, String label, byte[] content) throws IOException {
        String text = "-----BEGIN %s-----%n%s%n-----END %s-----%n"
                .formatted(label, new String(PEM.encode(content), StandardCharsets.US_ASCII), label);
        Files.writeString(file, text);
    }
}
