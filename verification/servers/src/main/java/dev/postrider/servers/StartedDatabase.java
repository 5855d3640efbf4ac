package dev.postrider.servers;

import dev.postrider.service.database.DatabaseSettings;

/** A database that was started for a proof or a benchmark. */
public interface StartedDatabase extends Restartable {

    DatabaseSettings settings();
}
