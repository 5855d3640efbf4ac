package dev.postrider.testservers;

import com.mysql.cj.jdbc.MysqlDataSource;
import java.sql.SQLException;
import java.util.Locale;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What differs between the kinds of database as seen by a JDBC client. */
enum DatabaseKind {
    POSTGRES("PostgreSQL", "postgresql", "", 5432, new Login("postgres", "postgres", "postgres")) {
        @Override
        DataSource dataSource(String url, String user, String password) {
            var dataSource = new PGSimpleDataSource();
            dataSource.setUrl(url);
            dataSource.setUser(user);
            dataSource.setPassword(password);
            return dataSource;
        }
    },
    MYSQL("MySQL", "mysql", "?sslMode=DISABLED&allowPublicKeyRetrieval=true", 3306, new Login("mysql", "root", "")) {
        @Override
        DataSource dataSource(String url, String user, String password) {
            return connectorJ(url, user, password);
        }
    },
    MARIADB("MariaDB", "mariadb", "?sslMode=disable", 3306, new Login("mysql", "root", "")) {
        @Override
        DataSource dataSource(String url, String user, String password) throws SQLException {
            var dataSource = new MariaDbDataSource(url);
            dataSource.setUser(user);
            dataSource.setPassword(password);
            return dataSource;
        }
    },
    TIDB("TiDB", "mysql", "?sslMode=DISABLED", 4000, new Login("mysql", "root", "")) {
        @Override
        DataSource dataSource(String url, String user, String password) {
            return connectorJ(url, user, password);
        }
    };

    private final String label;
    private final String scheme;
    private final String urlOptions;
    private final int usualPort;

    @SuppressWarnings("ImmutableEnumChecker") // A record of texts cannot be changed.
    private final Login administrator;

    DatabaseKind(String label, String scheme, String urlOptions, int usualPort, Login administrator) {
        this.label = label;
        this.scheme = scheme;
        this.urlOptions = urlOptions;
        this.usualPort = usualPort;
        this.administrator = administrator;
    }

    /** A data source of the plain driver: a new connection per call, no pool. */
    abstract DataSource dataSource(String url, String user, String password) throws SQLException;

    private static DataSource connectorJ(String url, String user, String password) {
        var dataSource = new MysqlDataSource();
        dataSource.setUrl(url);
        dataSource.setUser(user);
        dataSource.setPassword(password);
        return dataSource;
    }

    String label() {
        return label;
    }

    /** The name of this kind in directories. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    String scheme() {
        return scheme;
    }

    int usualPort() {
        return usualPort;
    }

    /** The environment variable that names a server of this kind. */
    String variable() {
        return "POSTRIDER_TEST_" + name() + "_URL";
    }

    /** The address of a server that these tests started on this machine. */
    JdbcAddress local(int port) {
        return new JdbcAddress(
                scheme,
                "127.0.0.1",
                port,
                administrator.database(),
                urlOptions,
                administrator.user(),
                administrator.password());
    }

    /** Who may create databases, and where that one connects first. */
    private record Login(String database, String user, String password) {}
}
