package dev.postrider.destination.nats;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Checks the addresses of servers. Its texts quote none: they may hold a password. */
final class ServerUrls {

    private static final Set<String> PLAIN = Set.of("nats", "ws");
    private static final Set<String> ENCRYPTED = Set.of("tls", "wss");

    private ServerUrls() {}

    static List<String> checked(String... urls) {
        if (urls.length == 0) {
            throw new IllegalArgumentException("servers is empty, expected at least one URL such as nats://host:4222");
        }
        for (int i = 0; i < urls.length; i++) {
            check(urls[i], i + 1);
        }
        return List.of(urls);
    }

    private static void check(String url, int number) {
        String scheme = schemeOf(url);
        if (scheme.equals("opentls")) {
            throw new IllegalArgumentException(
                    "servers has opentls:// at number " + number
                            + ", which would trust any certificate, also that of an attacker; use tls:// and trust the server's certificate");
        }
        if (!PLAIN.contains(scheme) && !ENCRYPTED.contains(scheme)) {
            throw new IllegalArgumentException("servers has the scheme " + scheme + ":// at number " + number
                    + ", expected nats://, tls://, ws:// or wss://");
        }
        try {
            URI uri = new URI(url.contains("://") ? url : "nats://" + url);
            if (uri.getHost() == null) {
                throw refused(number, "it names no host");
            }
        } catch (URISyntaxException invalid) {
            // Not as the cause: its text quotes the address.
            throw refused(number, invalid.getReason());
        }
    }

    private static IllegalArgumentException refused(int number, String reason) {
        return new IllegalArgumentException("servers has no valid URL at number " + number + " (" + reason
                + "), expected nats://host:4222; write characters such as space, @, / and % in a password as %20, %40, %2F, %25,"
                + " or use user and password");
    }

    /** Whether one of them asks for encryption; then all are asked for it. */
    static boolean wantTls(List<String> urls) {
        return urls.stream().map(ServerUrls::schemeOf).anyMatch(ENCRYPTED::contains);
    }

    private static String schemeOf(String url) {
        int end = url.indexOf("://");
        return end < 0 ? "nats" : url.substring(0, end).toLowerCase(Locale.ROOT);
    }
}
