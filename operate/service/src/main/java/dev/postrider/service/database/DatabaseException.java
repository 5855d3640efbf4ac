package dev.postrider.service.database;

import dev.postrider.internal.SafeText;
import dev.postrider.message.PostriderException;
import java.sql.SQLException;
import java.util.Set;

/** The database could not be used. Says where it is, who asked and why; holds no secret. */
public final class DatabaseException extends PostriderException {

    private static final long serialVersionUID = 1L;

    /** MySQL and MariaDB: access denied to a database, access denied, unknown database. */
    private static final Set<Integer> REFUSALS = Set.of(1044, 1045, 1049);

    /** H2: the database does not exist, and must not be created. */
    private static final int NO_DATABASE = 90146;

    /** PostgreSQL's driver could not do what the server wants of a login, as with no password. On MySQL: too many connections. */
    private static final String NOT_ACCEPTED = "08004";

    private final boolean isRefusal;

    private DatabaseException(String message, boolean isRefusal, SQLException cause) {
        super(message, cause);
        this.isRefusal = isRefusal;
    }

    static DatabaseException of(DatabaseSettings settings, SQLException failure) {
        if (failure.getErrorCode() == NO_DATABASE) {
            return new DatabaseException(
                    "There is no database at %s. Check the path; 'postrider schema apply' creates a new one"
                            .formatted(settings.safeUrl()),
                    true,
                    failure);
        }
        boolean refused = isRefusal(settings.kind(), failure);
        String user = settings.user().map(name -> " as user '" + name + "'").orElse("");
        String advice = refused ? adviceOnRefusal(settings) : "Check the address and that the server runs";
        return new DatabaseException(
                "%s %s%s: %s. %s"
                        .formatted(
                                refused ? "Refused by the database at" : "Cannot reach the database at",
                                settings.safeUrl(),
                                user,
                                firstLine(failure),
                                advice),
                refused,
                failure);
    }

    private static String adviceOnRefusal(DatabaseSettings settings) {
        return settings.password().isPresent()
                ? "Check user, password and database"
                : "Check user, password and database; no password is given";
    }

    private static boolean isRefusal(DatabaseKind kind, SQLException failure) {
        String state = failure.getSQLState() == null ? "" : failure.getSQLState();
        return state.startsWith("28")
                || state.startsWith("3D")
                || REFUSALS.contains(failure.getErrorCode())
                || (kind == DatabaseKind.POSTGRES && state.equals(NOT_ACCEPTED));
    }

    private static String firstLine(SQLException failure) {
        String text = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        String line = SafeText.of(text.lines().findFirst().orElse("").strip());
        return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    }

    /** Whether there is no such file of H2. */
    public boolean isMissing() {
        return getCause() instanceof SQLException cause && cause.getErrorCode() == NO_DATABASE;
    }

    /** Whether the server was reached and refused: a mistake in the settings, which time does not heal. */
    public boolean isRefusal() {
        return isRefusal;
    }
}
