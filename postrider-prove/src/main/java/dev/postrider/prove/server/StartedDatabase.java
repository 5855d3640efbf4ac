package dev.postrider.prove.server;

import dev.postrider.service.database.DatabaseSettings;

/** A database that was started for a proof. */
public interface StartedDatabase extends Restartable {

    DatabaseSettings settings();
}
