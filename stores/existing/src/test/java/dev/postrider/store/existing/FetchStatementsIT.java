package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.relay.Relay;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.mysql.MysqlOutboxStore;
import dev.postrider.store.postgres.PostgresOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.NotOnTidb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page on fetches shows the statements that are sent, whole. */
@NotOnTidb("the page shows those for MySQL")
class FetchStatementsIT {

    private static final Path PAGE = Path.of("../../docs/reference/fetch-statements.md");
    private static final Pattern BLOCK = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);

    @ParameterizedTest
    @CsvSource({
        "records, MYSQL, claims",
        "enum-status, MYSQL, claims",
        "outbox-events, POSTGRES, claims",
        "event-outbox, POSTGRES, claims",
        "event-outbox, POSTGRES, one active relay",
        "pending-wait, MYSQL, one active relay",
        "pending, MYSQL, one active relay"
    })
    void pageShowsWhatAFetchSends(String preset, Server server, String way) throws IOException {
        Tables tables = Tables.empty(server, Preset.of(preset));
        CutDataSource recorded = new CutDataSource(tables.dataSource());
        boolean claims = way.equals("claims");
        OutboxStore store = claims
                ? StatusOutboxStore.builder(recorded.dataSource(), tables.preset.mapping())
                        .build()
                : tables.leaderStore(recorded.dataSource());
        tables.insert("key", "{}");
        RecordingDestination destination = new RecordingDestination("destination");

        Relay.builder(store, destination)
                .ordering(claims ? Ordering.NONE : store.defaultOrdering())
                .build()
                .drainOnce();

        assertThat(destination.delivered()).hasSize(1);
        List<String> sent = recorded.statements.stream()
                .filter(sql -> sql.startsWith("SELECT") && sql.contains("row_key"))
                .filter(sql -> sql.contains("ORDER BY") || sql.contains("FOR UPDATE"))
                .map(FetchStatementsIT::onOneLine)
                .distinct()
                .toList();
        assertThat(sent).isNotEmpty().isEqualTo(shown("## " + preset + ", " + way));
    }

    /** On PostgreSQL a statement goes out together with others. What a fetch asks for besides depends on the time. */
    @ParameterizedTest
    @CsvSource({"PostgreSQL", "MySQL", "MariaDB", "H2"})
    void pageShowsWhatAFetchOfOwnTablesSends(String database) throws IOException {
        CutDataSource recorded = new CutDataSource(emptyDatabase(database));
        OutboxStore store = ownTables(database, recorded.dataSource());
        Outbox outbox = Outbox.withDefaults(store);
        outbox.inTransaction(
                recorded.dataSource(),
                tx -> tx.enqueue(outbox.message("orders")
                        .key("key")
                        .type("placed")
                        .json("{}")
                        .build()));
        RecordingDestination destination = new RecordingDestination("destination");

        Relay.builder(store, destination).build().drainOnce();

        assertThat(destination.delivered()).hasSize(1);
        List<String> sent =
                recorded.statements.stream().map(FetchStatementsIT::onOneLine).toList();
        assertThat(shown("## Own tables, " + database))
                .isNotEmpty()
                .allSatisfy(statement -> assertThat(sent).anyMatch(each -> each.contains(statement)));
    }

    private static DataSource emptyDatabase(String name) {
        if (name.equals("H2")) {
            JdbcDataSource h2 = new JdbcDataSource();
            h2.setURL("jdbc:h2:mem:fetch;DB_CLOSE_DELAY=-1");
            return h2;
        }
        Server server = name.equals("PostgreSQL") ? Server.POSTGRES : Server.valueOf(name.toUpperCase(Locale.ROOT));
        return Server.pool(server.newDatabase(), "");
    }

    private static OutboxStore ownTables(String database, DataSource dataSource) {
        return switch (database) {
            case "PostgreSQL" ->
                PostgresOutboxStore.builder(dataSource)
                        .lanes(1)
                        .schemaMode(SchemaMode.CREATE)
                        .build();
            case "H2" ->
                H2OutboxStore.builder(dataSource)
                        .lanes(1)
                        .schemaMode(SchemaMode.CREATE)
                        .build();
            default ->
                MysqlOutboxStore.builder(dataSource)
                        .lanes(1)
                        .schemaMode(SchemaMode.CREATE)
                        .build();
        };
    }

    /** The statements below a heading of the page. */
    private static List<String> shown(String heading) throws IOException {
        String page = Files.readString(PAGE);
        assertThat(page).contains(heading + "\n");
        String section = page.substring(page.indexOf(heading + "\n") + heading.length());
        int end = section.indexOf("\n## ");
        return BLOCK.matcher(end < 0 ? section : section.substring(0, end))
                .results()
                .map(block -> onOneLine(block.group(1)))
                .toList();
    }

    private static String onOneLine(String sql) {
        return sql.replaceAll("\\s+", " ").strip();
    }
}
