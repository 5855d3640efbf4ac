package dev.postrider.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.cli.Shell;
import dev.postrider.service.config.Form;
import dev.postrider.service.database.DatabaseKind;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code schema print --from} prints makes an older version equal to a new one. */
class UpgradeSqlIT {

    private static final String OF_POSTGRES = """
            SELECT format('%s %s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                          pg_get_expr(d.adbin, d.adrelid)) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
              LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
              WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
            UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
            UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
              WHERE connamespace = 'public'::regnamespace
            UNION ALL SELECT tgenabled::text || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
            UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
            UNION ALL SELECT description FROM pg_description d JOIN pg_class c ON c.oid = d.objoid
              WHERE c.relnamespace = 'public'::regnamespace
            UNION ALL SELECT name || ' ' || value FROM outbox_meta
            ORDER BY 1""";

    private static final String OF_MYSQL = """
            SELECT CONCAT_WS(' ', table_name, ordinal_position, column_name, column_type, is_nullable, column_default, extra,
                             generation_expression, column_comment)
              FROM information_schema.columns WHERE table_schema = DATABASE()
            UNION ALL SELECT CONCAT_WS(' ', table_name, index_name, seq_in_index, column_name, non_unique)
              FROM information_schema.statistics WHERE table_schema = DATABASE()
            UNION ALL SELECT CONCAT_WS(' ', name, `value`) FROM outbox_meta
            ORDER BY 1""";

    private static final String OF_H2 = "SCRIPT NODATA NOPASSWORDS NOSETTINGS";

    @ParameterizedTest
    @CsvSource({"POSTGRES, 1", "POSTGRES, 2", "POSTGRES, 3", "MYSQL, 1", "MARIADB, 1", "H2, 1"})
    void makesAnOlderVersionEqualToANewOne(DatabaseKind kind, int version) {
        String whole = print(kind);
        String change = print(kind, "--from", String.valueOf(version));
        try (GuideDatabase fresh = GuideDatabase.create(kind);
                GuideDatabase old = GuideDatabase.create(kind)) {
            fresh.executeTogether(statements(whole));
            old.executeTogether(statements(olderVersion(whole, change, version)));
            List<String> before = tables(old, kind);

            old.executeTogether(statements(change));

            assertThat(tables(old, kind)).isEqualTo(tables(fresh, kind)).isNotEqualTo(before);
        }
    }

    private static String print(DatabaseKind kind, String... more) {
        Shell shell = new Shell();
        String[] arguments = Stream.concat(
                        Stream.of("schema", "print", "--dialect", Form.nameOf(kind), "--lanes", "3"), Stream.of(more))
                .toArray(String[]::new);
        assertThat(shell.run(arguments)).as(shell.err()).isZero();
        return shell.out();
    }

    /** All statements before the change, and what the meta table said then. */
    private static String olderVersion(String whole, String change, int version) {
        String first = change.substring(0, change.indexOf(";\n"));
        String facts = whole.substring(whole.lastIndexOf("INSERT INTO"));
        assertThat(whole).contains(first);
        return whole.substring(0, whole.indexOf(first))
                + facts.replaceFirst("'schema_version', '\\d+'", "'schema_version', '" + version + "'");
    }

    /** An empty line ends a statement; a function has semicolons inside. */
    private static List<String> statements(String sql) {
        return List.of(sql.split(";\\n(\\n|$)"));
    }

    private static List<String> tables(GuideDatabase database, DatabaseKind kind) {
        return switch (kind) {
            case POSTGRES -> database.query(OF_POSTGRES);
            case H2 -> database.query(OF_H2);
            case MYSQL, MARIADB, TIDB ->
                database.query(OF_MYSQL).stream()
                        .map(line -> line.replace(database.name(), "db"))
                        .collect(Collectors.toList());
        };
    }
}
