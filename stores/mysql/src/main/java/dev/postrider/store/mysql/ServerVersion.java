package dev.postrider.store.mysql;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code VERSION()} says. */
record ServerVersion(Flavor flavor, int major, int minor, int patch) implements Comparable<ServerVersion> {

    private static final Pattern TIDB = Pattern.compile("TiDB-v(\\d+)\\.(\\d+)\\.(\\d+)");
    private static final Pattern MARIADB = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)-MariaDB");
    private static final Pattern MYSQL = Pattern.compile("^(\\d+)\\.(\\d+)\\.(\\d+)");

    private static final Comparator<ServerVersion> BY_NUMBER = Comparator.comparingInt(ServerVersion::major)
            .thenComparingInt(ServerVersion::minor)
            .thenComparingInt(ServerVersion::patch);

    /** TiDB and MariaDB are told by their names, which they put behind a version of MySQL's form. */
    static ServerVersion parse(String text) {
        Matcher tidb = TIDB.matcher(text);
        if (tidb.find()) {
            return of(Flavor.TIDB, tidb);
        }
        Matcher mariadb = MARIADB.matcher(text);
        if (mariadb.find()) {
            return of(Flavor.MARIADB, mariadb);
        }
        Matcher mysql = MYSQL.matcher(text);
        if (mysql.find()) {
            return of(Flavor.MYSQL, mysql);
        }
        throw new IllegalStateException(
                "The server's version is '" + text + "', which is neither MySQL's nor MariaDB's nor TiDB's");
    }

    private static ServerVersion of(Flavor flavor, Matcher numbers) {
        return new ServerVersion(
                flavor,
                Integer.parseInt(numbers.group(1)),
                Integer.parseInt(numbers.group(2)),
                Integer.parseInt(numbers.group(3)));
    }

    boolean isAtLeast(int otherMajor, int otherMinor) {
        return compareTo(new ServerVersion(flavor, otherMajor, otherMinor, 0)) >= 0;
    }

    @Override
    public int compareTo(ServerVersion other) {
        return BY_NUMBER.compare(this, other);
    }

    @Override
    public String toString() {
        return "%s %d.%d.%d".formatted(flavor.label(), major, minor, patch);
    }
}
