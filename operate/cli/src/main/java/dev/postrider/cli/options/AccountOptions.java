package dev.postrider.cli.options;

import dev.postrider.service.config.Secret;
import dev.postrider.service.database.DatabaseSettings;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who connects to a database that is given by its address where a server can also be started. */
public final class AccountOptions {

    @Option(names = "--user", paramLabel = "USER", description = "Who connects to a database given by its address.")
    private @Nullable String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "A file that holds the password of that user and nothing else.")
    private @Nullable Path passwordFile;

    /** Completes the settings of a database. */
    public DatabaseSettings.Builder complete(DatabaseSettings.Builder database) {
        Optional.ofNullable(user).ifPresent(database::user);
        Optional.ofNullable(passwordFile).map(Secret::fromFile).ifPresent(database::password);
        return database;
    }
}
