package dev.postrider.cli.options;

import static java.util.Objects.requireNonNull;

import dev.postrider.service.OutboxConfig;
import dev.postrider.service.ServiceConfig;
import dev.postrider.service.config.Secret;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.StoreSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Which outbox is meant: by the address of its database, or by its name in a configuration file. */
public final class DatabaseOptions {

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = "A postrider.yaml that describes the outboxes.")
    private @Nullable Path config;

    @Option(
            names = "--outbox",
            paramLabel = "NAME",
            description = "Which outbox of the file; needed if it has several.")
    private @Nullable String outbox;

    @Option(names = "--url", paramLabel = "JDBC-URL", description = "The database, instead of a file.")
    private @Nullable String url;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "Who connects; with --config instead of the user of the file.")
    private @Nullable String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "Holds the password and nothing else. Or set POSTRIDER_PASSWORD.")
    private @Nullable Path passwordFile;

    @Option(names = "--prefix", paramLabel = "NAME", description = "What the table names begin with. Default: outbox.")
    private @Nullable String prefix;

    @Option(names = "--schema", paramLabel = "NAME", description = "Schema of the tables; on MySQL the database.")
    private @Nullable String schema;

    /** The outboxes that are meant, each with its settings. Several only if the file has several and none is named. */
    public List<OutboxTarget> targets() {
        if (fromFile()) {
            ServiceConfig loaded = file().orElseThrow();
            return (outbox == null ? loaded.outboxes() : List.of(loaded.outbox(outbox)))
                    .stream().map(this::target).toList();
        }
        return List.of(new OutboxTarget("", database(), named(new StoreSettings()), Optional.empty()));
    }

    /** The configuration file, if it says where the outboxes are. */
    public Optional<ServiceConfig> file() {
        return fromFile()
                ? Optional.ofNullable(config).map(path -> ServiceConfig.load(path, environment()))
                : Optional.empty();
    }

    /** The one outbox that is meant. */
    public OutboxTarget target() {
        List<OutboxTarget> all = targets();
        if (all.size() > 1) {
            throw usage("The file has several outboxes; choose one by --outbox: "
                    + String.join(", ", all.stream().map(OutboxTarget::name).toList()));
        }
        return all.get(0);
    }

    private OutboxTarget target(OutboxConfig outbox) {
        return new OutboxTarget(outbox.name(), account(outbox.database()), named(outbox.store()), Optional.of(outbox));
    }

    /** Operators may connect as somebody else than the relay of the file. Variables are about the address beside them. */
    private DatabaseSettings account(DatabaseSettings ofFile) {
        DatabaseSettings named = isGiven("--user") ? ofFile.withUser(requireNonNull(user)) : ofFile;
        return isGiven("--password-file") ? named.withPassword(Secret.fromFile(requireNonNull(passwordFile))) : named;
    }

    /** What stands on the command line goes before what the environment says. */
    private boolean fromFile() {
        if (isGiven("--config") && isGiven("--url")) {
            throw usage("Give --config or --url, not both");
        }
        if (config == null && url == null) {
            throw usage("Which database? Give --url (with --user and --password-file), or --config");
        }
        return config != null && !isGiven("--url");
    }

    private boolean isGiven(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    private DatabaseSettings database() {
        DatabaseSettings.Builder builder = new DatabaseSettings.Builder().poolSize(4);
        try {
            builder.url(requireNonNull(url));
        } catch (IllegalArgumentException unknown) {
            throw usage(String.valueOf(unknown.getMessage()));
        }
        Optional.ofNullable(user).ifPresent(builder::user);
        password().ifPresent(builder::password);
        return builder.build();
    }

    private Optional<Secret> password() {
        return passwordFile != null
                ? Optional.of(Secret.fromFile(passwordFile))
                : Optional.ofNullable(environment().get("POSTRIDER_PASSWORD")).map(Secret::of);
    }

    private StoreSettings named(StoreSettings store) {
        try {
            Optional.ofNullable(prefix).ifPresent(store::prefix);
            Optional.ofNullable(schema).ifPresent(store::schema);
            return store;
        } catch (IllegalArgumentException wrong) {
            throw usage("--" + wrong.getMessage());
        }
    }

    private Map<String, String> environment() {
        return Environment.of(spec).variables();
    }

    private ParameterException usage(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }
}
