package dev.postrider.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What tests may expect of every kind of broker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BrokerServerContract {
    private PrivateBroker broker;

    abstract Broker shared();

    abstract PrivateBroker startPrivate();

    /** Brings a new connection to where the server expects the client's half of the TLS handshake. */
    abstract void awaitTls(Socket socket) throws Exception;

    @BeforeAll
    void start() {
        broker = startPrivate();
    }

    @AfterAll
    void end() {
        broker.close();
        assertThat(broker.isRunning()).isFalse();
    }

    @Test
    void sharedBrokerIsStartedOnce() {
        assertThat(shared()).isSameAs(shared());
        assertThat(shared().accepts()).isTrue();
    }

    @Test
    void isThereAgainAfterCrashAndRestart() {
        broker.killHard();
        assertThat(broker.isRunning()).isFalse();
        assertThat(broker.accepts()).isFalse();

        broker.restart();
        assertThat(broker.accepts()).isTrue();
    }

    @Test
    void isThereAgainAfterCleanStop() {
        broker.stop();
        assertThat(broker.accepts()).isFalse();

        broker.restart();
        assertThat(broker.accepts()).isTrue();
    }

    @Test
    void answersOnlyWhenThawed() {
        broker.freeze();
        assertThat(broker.accepts()).isFalse();

        broker.thaw();
        assertThat(broker.accepts()).isTrue();
    }

    @Test
    void provesItsIdentityWithTheTestCertificate() throws Exception {
        try (var plain = new Socket()) {
            plain.connect(new InetSocketAddress(broker.host(), broker.tlsPort()));
            awaitTls(plain);
            var sockets = broker.certificate().trusting().getSocketFactory();
            try (var tls = (SSLSocket) sockets.createSocket(plain, broker.host(), broker.tlsPort(), true)) {
                tls.startHandshake();
                assertThat(tls.getSession().getPeerPrincipal().getName()).isEqualTo("CN=localhost");
            }
        }
    }

    final PrivateBroker broker() {
        return broker;
    }
}
