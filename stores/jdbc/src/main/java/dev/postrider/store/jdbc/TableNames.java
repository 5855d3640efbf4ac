package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The tables of one outbox, by schema and prefix.
 *
 * <p>Both names are checked here, once: letters, digits and underscores, so that they can stand in any statement. Immutable.
 */
@Internal
public final class TableNames {

    /** Leaves room for the longest table and index name within PostgreSQL's 63 characters. */
    public static final int MAX_PREFIX_LENGTH = 40;

    private static final int MAX_SCHEMA_LENGTH = 63;
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final Optional<String> schema;
    private final String prefix;
    private final Dialect dialect;

    public TableNames(Optional<String> schema, String prefix, Dialect dialect) {
        this.schema = schema.map(TableNames::checkedSchema);
        this.prefix = checkedPrefix(prefix);
        this.dialect = dialect;
    }

    /** What to call this outbox: its prefix, with the schema where one is set. */
    public String outboxName() {
        return schema.map(name -> name + "." + prefix).orElse(prefix);
    }

    public Optional<String> schema() {
        return schema;
    }

    public String prefix() {
        return prefix;
    }

    public TableName hot() {
        return named("");
    }

    public TableName lane() {
        return named("_lane");
    }

    public TableName held() {
        return named("_held");
    }

    public TableName delayed() {
        return named("_delayed");
    }

    public TableName dead() {
        return named("_dead");
    }

    public TableName sent() {
        return named("_sent");
    }

    public TableName member() {
        return named("_member");
    }

    public TableName meta() {
        return named("_meta");
    }

    public TableName control() {
        return named("_control");
    }

    public TableName operation() {
        return named("_operation");
    }

    public TableName dedup() {
        return named("_dedup");
    }

    public TableName task() {
        return named("_task");
    }

    /** A further table, index, function or constraint of this outbox: the prefix followed by this suffix. */
    public TableName named(String suffix) {
        String name = prefix + suffix;
        String quoted = dialect.quote(name);
        return new TableName(
                schema, name, schema.map(s -> dialect.quote(s) + "." + quoted).orElse(quoted));
    }

    static String checkedSchema(String name) {
        return checked("schema", name, MAX_SCHEMA_LENGTH);
    }

    static String checkedPrefix(String name) {
        return checked("prefix", name, MAX_PREFIX_LENGTH);
    }

    private static String checked(String option, String name, int maxLength) {
        if (!NAME.matcher(name).matches() || name.length() > maxLength) {
            throw new IllegalArgumentException(
                    "%s is '%s', expected letters, digits and underscores, not starting with a digit, at most %d characters"
                            .formatted(option, name, maxLength));
        }
        return name;
    }
}
