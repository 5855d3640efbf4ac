package dev.postrider.examples.owndestination;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A web server that is busy at the first request, refuses cancellations, and prints what it accepts. */
final class Receiver implements AutoCloseable {

    private final HttpServer server;
    private final CountDownLatch decisions;
    private boolean hasBeenBusy;

    Receiver(int decisions) throws IOException {
        this.decisions = new CountDownLatch(decisions);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    URI address() {
        return URI.create("http://" + server.getAddress().getHostString() + ":"
                + server.getAddress().getPort());
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer(body), -1);
        exchange.close();
    }

    /** Returns when it has accepted or refused the number of messages that it was told to expect. */
    void awaitDecisions() throws InterruptedException {
        decisions.await(30, TimeUnit.SECONDS);
    }

    private int answer(String body) {
        if (!hasBeenBusy) {
            hasBeenBusy = true;
            return 503;
        }
        decisions.countDown();
        if (body.contains("cancelled")) {
            return 400;
        }
        System.out.println("received " + body);
        return 204;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
