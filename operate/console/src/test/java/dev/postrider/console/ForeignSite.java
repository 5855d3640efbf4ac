package dev.postrider.console;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** A site of somebody else whose page sends forged changes to a console, in each way that a browser offers. Close it. */
final class ForeignSite implements AutoCloseable {

    /** The same change from the console's own page; answers with its status. */
    static final String OWN_REQUEST = """
        const done = arguments[0];
        fetch('api/outboxes/orders/destinations/kafka-main/pause',
          { method: 'POST', headers: { 'Postrider-Console': '1' }, body: '{}' }).then(answer => done(answer.status));
        """;

    private static final String SCRIPT = """
        const target = document.querySelector('form').action, headers = { 'Postrider-Console': '1' };
        Promise.allSettled([
          fetch(target, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' }),
          fetch(target, { method: 'POST', credentials: 'include', headers, body: '{}' }),
          fetch(target, { method: 'POST', mode: 'no-cors', headers, body: '{}' }),
          fetch(target),
        ]).then(() => {
          navigator.sendBeacon(target, '{}');
          document.querySelector('form').submit();
          document.title = 'all sent';
        });
        """;

    private final HttpServer server;

    private ForeignSite(HttpServer server) {
        this.server = server;
    }

    static ForeignSite against(String target) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] page = """
            <form method="post" enctype="text/plain" action="%s" target="answer"><input name="{" value="}"></form>
            <iframe name="answer"></iframe><script>%s</script>
            """.formatted(target, SCRIPT).getBytes(StandardCharsets.UTF_8);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        return new ForeignSite(server);
    }

    /** By another name than the console's, so that it is another site. */
    String address() {
        return "http://localhost:" + server.getAddress().getPort() + "/";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
