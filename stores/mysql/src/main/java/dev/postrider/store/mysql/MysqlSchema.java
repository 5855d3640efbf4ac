package dev.postrider.store.mysql;

import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.Migration;
import dev.postrider.store.jdbc.PayloadFormat;
import dev.postrider.store.jdbc.SchemaDefinition;
import dev.postrider.store.jdbc.SchemaScripts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tables, with what differs between the servers and the options filled in. */
final class MysqlSchema {

    /**
     * The rule of {@link dev.postrider.message.Lane} in SQL. The key is hashed as UTF-8, because its column is; next to the
     * id, which is bytes, it becomes bytes itself.
     */
    private static final String LANE =
            "CAST(CONV(LEFT(SHA2(COALESCE(message_key, id), 256), 8), 16, 10) AS UNSIGNED) %% %d";

    /** There is always a tail: without it, settling would fail as soon as a partition is missing. */
    private static final String PARTITIONS =
            "\n  PARTITION BY RANGE COLUMNS (delivered_at) (PARTITION p_tail VALUES LESS THAN (MAXVALUE))";

    private final JdbcContext context;
    private final Flavor flavor;

    MysqlSchema(JdbcContext context, Flavor flavor) {
        this.context = context;
        this.flavor = flavor;
    }

    SchemaDefinition definition() {
        return new SchemaDefinition(
                scripts("").read("meta.sql"),
                List.of(new Migration(1, scripts("").read("V001__create_outbox.sql"))),
                Map.of(
                        AuditTrail.PLAIN, scripts("").read("audit.sql"),
                        AuditTrail.PARTITIONED, scripts(PARTITIONS).read("audit.sql")));
    }

    private SchemaScripts scripts(String partitions) {
        boolean json = context.options().payload() == PayloadFormat.JSON;
        Map<String, String> values = new HashMap<>();
        values.put("database", flavor.label());
        values.put("lane_expression", LANE.formatted(context.options().lanes()));
        values.put("payload_type", json ? "LONGTEXT" : "LONGBLOB");
        values.put("payload_check", json ? ",\n  CHECK (JSON_VALID(payload))" : "");
        values.put("created_at_default", flavor.createdAtDefault());
        values.put("table_options", tableOptions(flavor));
        values.put("auto_id_cache", flavor.numbersInOnePlace());
        values.put("partitions", partitions);
        return new SchemaScripts(MysqlSchema.class, context, values);
    }

    static String tableOptions(Flavor flavor) {
        return "ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE " + flavor.collation();
    }
}
