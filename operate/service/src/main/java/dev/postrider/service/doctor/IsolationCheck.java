package dev.postrider.service.doctor;

import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Looks at the isolation level that transactions of this user get when they ask for none. Relays always ask. */
final class IsolationCheck implements Check {

    private final DataSource dataSource;

    IsolationCheck(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public String name() {
        return "isolation level";
    }

    @Override
    public List<Finding> run() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return switch (connection.getTransactionIsolation()) {
                case Connection.TRANSACTION_SERIALIZABLE ->
                    List.of(Finding.warning(
                            "transactions are SERIALIZABLE by default",
                            "writers that enqueue may be refused or block each other, and must repeat their transactions",
                            "Use READ COMMITTED as default, and SERIALIZABLE only where it is needed"));
                case Connection.TRANSACTION_READ_UNCOMMITTED ->
                    List.of(Finding.warning(
                            "transactions are READ UNCOMMITTED by default",
                            "writers act on data that may be rolled back, and send messages about it",
                            "Use READ COMMITTED as default"));
                default -> List.of();
            };
        }
    }
}
