package dev.postrider.service.database;

import dev.postrider.internal.Readable;
import dev.postrider.internal.SafeText;
import dev.postrider.service.config.Secret;
import dev.postrider.service.config.Setting;
import dev.postrider.service.config.ValueFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Where a database is and who asks. Immutable; shows no secret.
 *
 * @param connectTimeout how long to wait for a connection
 */
public record DatabaseSettings(
        String url, Optional<String> user, Optional<Secret> password, int poolSize, Duration connectTimeout) {

    /** The keys of the section {@code database}. */
    public static final List<Setting<Builder>> SETTINGS = List.of(
            Setting.of("url", ValueFormat.TEXT, "required", "JDBC address of the primary server.", Builder::url),
            Setting.of("user", ValueFormat.TEXT, "Who connects.", Builder::user),
            Setting.of(
                    "password",
                    ValueFormat.TEXT,
                    "The password; better from the environment (`${DB_PASSWORD}`) or from a file.",
                    (Builder builder, String text) -> builder.password(Secret.of(text))),
            Setting.of(
                    "password-file",
                    ValueFormat.TEXT,
                    "none",
                    "A file that holds the password and nothing else.",
                    (Builder builder, String text) -> builder.password(Secret.fromFile(Path.of(text)))),
            Setting.of(
                    "pool-size",
                    ValueFormat.NUMBER,
                    "Connections at most: one for each worker of the relay and three more. 1 to 1000.",
                    Builder::poolSize),
            Setting.of(
                    "connect-timeout",
                    ValueFormat.DURATION_FORM,
                    "How long to wait for a connection. 250ms to 5m.",
                    Builder::connectTimeout));

    public DatabaseKind kind() {
        return DatabaseKind.ofUrl(url);
    }

    /** The same database for somebody else. */
    public DatabaseSettings withUser(String other) {
        return new DatabaseSettings(url, Optional.of(other), password, poolSize, connectTimeout);
    }

    /**
     * A database with its account.
     *
     * @param password empty if the user needs none
     */
    public static DatabaseSettings of(String url, String user, String password) {
        DatabaseSettings settings = new Builder().url(url).user(user).build();
        return password.isEmpty() ? settings : settings.withPassword(Secret.of(password));
    }

    /** The same with another password. */
    public DatabaseSettings withPassword(Secret other) {
        return new DatabaseSettings(url, user, Optional.of(other), poolSize, connectTimeout);
    }

    /** The same with another number of connections. */
    public DatabaseSettings withPoolSize(int other) {
        return new DatabaseSettings(url, user, password, other, connectTimeout);
    }

    /** The address by which nothing is created. A database in memory cannot be mistyped: it is gone anyway. */
    String urlOfExisting() {
        String lower = url.toLowerCase(Locale.ROOT);
        boolean mayCreate =
                kind() == DatabaseKind.H2 && !lower.startsWith("jdbc:h2:mem:") && !lower.contains(";ifexists=");
        return mayCreate ? url + ";IFEXISTS=TRUE" : url;
    }

    /** The address as it may be shown. */
    public String safeUrl() {
        return SafeText.address(url);
    }

    @Override
    public String toString() {
        return safeUrl();
    }

    /** Collects the settings; each setter refuses a bad value. */
    public static final class Builder {

        private Optional<String> url = Optional.empty();
        private Optional<String> user = Optional.empty();
        private Optional<Secret> password = Optional.empty();
        private int poolSize = 8;
        private Duration connectTimeout = Duration.ofSeconds(5);

        public Builder url(String value) {
            SafeText.rememberAddress(value);
            DatabaseKind.ofUrl(value);
            this.url = Optional.of(value);
            return this;
        }

        public Builder user(String value) {
            this.user = Optional.of(value);
            return this;
        }

        public Builder password(Secret value) {
            this.password = Optional.of(value);
            return this;
        }

        public Builder poolSize(int value) {
            if (value < 1 || value > 1000) {
                throw new IllegalArgumentException("is " + value + ", expected 1 to 1000");
            }
            this.poolSize = value;
            return this;
        }

        public Builder connectTimeout(Duration value) {
            if (value.toMillis() < 250 || value.compareTo(Duration.ofMinutes(5)) > 0) {
                throw new IllegalArgumentException("is " + Readable.time(value) + ", expected 250 ms to 5 m");
            }
            this.connectTimeout = value;
            return this;
        }

        public DatabaseSettings build() {
            return new DatabaseSettings(
                    url.orElseThrow(() -> new IllegalArgumentException("'url' is missing")),
                    user,
                    password,
                    poolSize,
                    connectTimeout);
        }
    }
}
