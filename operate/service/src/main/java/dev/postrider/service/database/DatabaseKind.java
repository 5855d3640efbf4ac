package dev.postrider.service.database;

import dev.postrider.internal.SafeText;
import java.util.Locale;

/** The databases that an outbox can be in. */
public enum DatabaseKind {
    POSTGRES,
    MYSQL,
    MARIADB,
    TIDB,
    H2;

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
        throw new IllegalArgumentException(
                "The URL '" + SafeText.address(url) + "' is of no database that Postrider knows; expected"
                        + " jdbc:postgresql:, jdbc:mysql:, jdbc:mariadb: or jdbc:h2:");
    }

    boolean speaksMysql() {
        return this == MYSQL || this == MARIADB || this == TIDB;
    }

    /** Whether a server at such an address may be of the other kind. */
    public boolean canBe(DatabaseKind other) {
        return this == other || (speaksMysql() && other.speaksMysql());
    }
}
