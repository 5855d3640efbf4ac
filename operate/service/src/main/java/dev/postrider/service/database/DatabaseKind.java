package dev.postrider.service.database;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The databases that an outbox can be in. */
public enum DatabaseKind {
    POSTGRES,
    MYSQL,
    MARIADB,
    TIDB,
    H2;

    private static final Pattern SCHEME = Pattern.compile("jdbc:\\w+:");

    /** By the address alone: MariaDB and TiDB behind MySQL's driver are told apart once the server is asked. */
    public static DatabaseKind ofUrl(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        if (lower.startsWith("jdbc:postgresql:")) {
            return POSTGRES;
        }
        if (lower.startsWith("jdbc:mysql:")) {
            return MYSQL;
        }
        if (lower.startsWith("jdbc:mariadb:")) {
            return MARIADB;
        }
        if (lower.startsWith("jdbc:h2:")) {
            return H2;
        }
        throw new IllegalArgumentException("The URL" + scheme(url) + " is of no database that Postrider knows; expected"
                + " jdbc:postgresql:, jdbc:mysql:, jdbc:mariadb: or jdbc:h2:");
    }

    /** By what the driver calls its database. TiDB calls itself MySQL, and the store tells them apart. */
    public static DatabaseKind ofProduct(String product) {
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRES;
            case "mysql" -> MYSQL;
            case "mariadb" -> MARIADB;
            case "h2" -> H2;
            default ->
                throw new IllegalArgumentException("The database is '" + product
                        + "', of which Postrider has no store; expected PostgreSQL, MySQL, MariaDB or H2");
        };
    }

    /** No more of it: where its password stands is not known. */
    private static String scheme(String url) {
        Matcher scheme = SCHEME.matcher(url);
        return scheme.lookingAt() ? " '" + scheme.group() + "...'" : "";
    }

    boolean speaksMysql() {
        return this == MYSQL || this == MARIADB || this == TIDB;
    }

    /** Whether a server at such an address may be of the other kind. */
    public boolean canBe(DatabaseKind other) {
        return this == other || (speaksMysql() && other.speaksMysql());
    }
}
