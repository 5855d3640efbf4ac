package dev.postrider.testservers;

import java.io.IOException;
import java.net.Socket;

class NatsServerIT extends BrokerServerContract {
    @Override
    Broker shared() {
        return Servers.nats();
    }

    @Override
    PrivateBroker startPrivate() {
        return NatsServer.startPrivate();
    }

    /** NATS greets in plain text and expects TLS after it. */
    @Override
    void awaitTls(Socket socket) throws IOException {
        for (int read = 0; read != '\n'; ) {
            read = socket.getInputStream().read();
        }
    }
}
