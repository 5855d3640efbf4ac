package dev.postrider.service.doctor;

import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import java.sql.SQLException;
import java.util.List;

/** Looks whether what H2 has committed is on the disk. */
final class H2StorageCheck implements Check {

    private final Questions questions;
    private final DatabaseSettings database;

    H2StorageCheck(Questions questions, DatabaseSettings database) {
        this.questions = questions;
        this.database = database;
    }

    @Override
    public String name() {
        return "durability";
    }

    @Override
    public List<Finding> run() throws SQLException {
        if (database.url().contains(":mem:")) {
            return List.of(Finding.warning(
                    "the database is in memory",
                    "messages are gone when its process ends",
                    "Use a database on disk for anything but tests"));
        }
        // H2 lists what the database stores and what the address says; the address wins, with 500 if it is silent.
        long delay = questions.row("""
                SELECT MAX(CAST(SETTING_VALUE AS BIGINT)) AS delay
                FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'WRITE_DELAY'""").number("delay");
        return delay == 0
                ? List.of()
                : List.of(Finding.warning(
                        "H2 writes commits to the disk up to %d ms late".formatted(delay),
                        "a crash can lose transactions whose messages were delivered already",
                        "Add ;WRITE_DELAY=0 to the address, or use a database server"));
    }
}
