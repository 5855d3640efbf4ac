package dev.postrider.testservers;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a server listens and who may administer it. {@code options} is empty or starts with a question mark. */
record JdbcAddress(
        String scheme, String host, int port, String database, String options, String user, String password) {
    private static final Pattern URL = Pattern.compile(
            "jdbc:(?<scheme>\\w+)://(?<host>[^:/?]+)(:(?<port>\\d+))?(/(?<database>[^?]*))?(\\?(?<query>.*))?");

    String url() {
        return url(database);
    }

    String url(String otherDatabase) {
        return "jdbc:%s://%s:%d/%s%s".formatted(scheme, host, port, otherDatabase, options);
    }

    /** The same server and account, reached on this machine through another port. */
    JdbcAddress atPort(int otherPort) {
        return new JdbcAddress(scheme, "127.0.0.1", otherPort, database, options, user, password);
    }

    /** The address in the environment variable of that kind, if it is set. */
    static Optional<JdbcAddress> fromEnvironment(DatabaseKind kind) {
        return Optional.ofNullable(System.getenv(kind.variable()))
                .filter(url -> !url.isBlank())
                .map(url -> parse(kind, url));
    }

    /** Reads a JDBC URL; user and password come from its parameters {@code user} and {@code password}. */
    static JdbcAddress parse(DatabaseKind kind, String url) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches() || !parts.group("scheme").equals(kind.scheme())) {
            throw new ServerUnavailableException(kind.variable() + " must look like jdbc:" + kind.scheme()
                    + "://host:port/database?user=name&password=secret");
        }
        JdbcAddress usual = kind.local(kind.usualPort());
        String user = usual.user();
        String password = usual.password();
        var options = new StringJoiner("&", "?", "").setEmptyValue("");
        for (String option :
                Optional.ofNullable(parts.group("query")).orElse("").split("&", 0)) {
            if (option.startsWith("user=")) {
                user = valueOf(option);
            } else if (option.startsWith("password=")) {
                password = valueOf(option);
            } else if (!option.isEmpty()) {
                options.add(option);
            }
        }
        return new JdbcAddress(
                kind.scheme(),
                parts.group("host"),
                Optional.ofNullable(parts.group("port")).map(Integer::parseInt).orElse(kind.usualPort()),
                Optional.ofNullable(parts.group("database"))
                        .filter(name -> !name.isEmpty())
                        .orElse(usual.database()),
                options.toString(),
                user,
                password);
    }

    private static String valueOf(String option) {
        return URLDecoder.decode(option.substring(option.indexOf('=') + 1), StandardCharsets.UTF_8);
    }
}
