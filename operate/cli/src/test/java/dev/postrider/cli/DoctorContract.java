package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testservers.Database;
import dev.postrider.testservers.PrivateServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;

/** A new outbox on a server of its own, and a shell that knows it. */
abstract class DoctorContract {

    Database database;
    Shell shell;

    abstract PrivateServer server();

    @BeforeEach
    void createOutbox() {
        database = server().createDatabase("doctor");
        shell = new Shell()
                .set("POSTRIDER_URL", database.jdbcUrl())
                .set("POSTRIDER_USER", database.user())
                .set("POSTRIDER_PASSWORD", database.password());
        assertThat(shell.run("schema", "apply")).as(shell.err()).isZero();
    }

    final void execute(String... statements) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
