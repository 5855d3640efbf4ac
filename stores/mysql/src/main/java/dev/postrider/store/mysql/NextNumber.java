package dev.postrider.store.mysql;

import dev.postrider.store.jdbc.Isolation;
import dev.postrider.store.jdbc.TableName;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks which number the next row of the hot table will get.
 *
 * <p>It is higher than any number seen, unless somebody has set it back: by TRUNCATE, by AUTO_INCREMENT = 1, or by a restore.
 */
final class NextNumber {

    private static final Pattern OPTION = Pattern.compile("\\bAUTO_INCREMENT=(\\d+)");

    private final String sql;

    NextNumber(TableName table, Flavor flavor) {
        this.sql = flavor == Flavor.MARIADB ? catalogue(table) : "SHOW CREATE TABLE " + table;
    }

    /** Up to date on MariaDB; MySQL keeps an old answer for a day. MariaDB's SHOW CREATE TABLE leaves it out in some SQL modes. */
    private static String catalogue(TableName table) {
        return """
                SELECT t.TABLE_NAME, CONCAT('AUTO_INCREMENT=', t.AUTO_INCREMENT) FROM information_schema.TABLES t
                WHERE t.TABLE_SCHEMA = %s AND t.TABLE_NAME = '%s'""".formatted(table.schema().map(schema -> "'" + schema + "'").orElse("DATABASE()"), table.name());
    }

    /** Empty if the server does not say. */
    OptionalLong read(ReadSession session) throws SQLException {
        return session
                .list(Isolation.READ_COMMITTED, sql, statement -> {}, row -> Optional.ofNullable(row.getString(2)))
                .stream()
                .flatMap(Optional::stream)
                .mapToLong(NextNumber::parse)
                .findFirst();
    }

    /** The server leaves the option out when it is 1. */
    static long parse(String createTable) {
        Matcher option = OPTION.matcher(createTable);
        return option.find() ? Long.parseLong(option.group(1)) : 1;
    }
}
