package dev.postrider.testservers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Picks TCP ports below the range from which systems serve outgoing connections, so that a restart finds its port free. */
final class FreePort {
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;

    private FreePort() {}

    static int pick() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                continue;
            }
        }
    }
}
