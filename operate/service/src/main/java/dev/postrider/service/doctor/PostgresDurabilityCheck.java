package dev.postrider.service.doctor;

import dev.postrider.service.doctor.Questions.Row;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Looks whether this is the primary, and whether what it has committed outlives a crash. */
final class PostgresDurabilityCheck implements Check {

    private static final String SQL = """
            SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
                   current_setting('synchronous_commit') AS commits, pg_is_in_recovery()::text AS standby""";

    private final Questions questions;

    PostgresDurabilityCheck(Questions questions) {
        this.questions = questions;
    }

    @Override
    public String name() {
        return "durability";
    }

    @Override
    public List<Finding> run() throws SQLException {
        Row row = questions.row(SQL);
        List<Finding> findings = new ArrayList<>();
        if (row.isOn("standby")) {
            findings.add(Finding.error(
                    "this server is a standby",
                    "a relay cannot work here",
                    "Give the address of the primary (targetServerType=primary)"));
        }
        if (!row.isOn("fsync") || !row.isOn("pages")) {
            findings.add(Finding.error(
                    "fsync is %s, full_page_writes is %s".formatted(row.text("fsync"), row.text("pages")),
                    "a crash of the machine can destroy committed messages, and the whole database",
                    "Set both to on"));
        }
        if (row.text("commits").equals("off")) {
            findings.add(Finding.warning(
                    "synchronous_commit is off",
                    "a crash can undo transactions whose messages were delivered already",
                    "Set it to on, at least for those who enqueue"));
        }
        return findings;
    }
}
