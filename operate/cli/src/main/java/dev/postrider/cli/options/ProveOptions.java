package dev.postrider.cli.options;

import dev.postrider.internal.SafeText;
import dev.postrider.prove.Fault;
import dev.postrider.prove.ProofException;
import dev.postrider.prove.run.ProofSettings;
import dev.postrider.prove.server.ProofSite;
import dev.postrider.store.existing.Preset;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What {@code postrider prove} can be told. */
public final class ProveOptions {

    private static final int RANDOM_NAME = 0x1000000;

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            required = true,
            description =
                    "A JDBC address; or postgres, mysql or mariadb, which a checkout of Postrider starts by itself.")
    private String store;

    @Mixin
    private AccountOptions account;

    @Option(
            names = "--destination",
            paramLabel = "BROKER",
            required = true,
            description =
                    "kafka://host:port, amqp://host:port or nats://host:port; or kafka, rabbitmq or nats, which a checkout of"
                            + " Postrider starts by itself. One with user:password@ belongs into the environment, as"
                            + " POSTRIDER_PROVE_DESTINATION, since others can read command lines.")
    private String destination;

    @Option(
            names = "--preset",
            paramLabel = "NAME",
            description =
                    "Proves tables of this preset, such as records, which writers fill as the library does that made them. The"
                            + " order of keys is proven where the preset keeps one. Default: tables of Postrider's own.")
    private @Nullable String preset;

    @Option(
            names = "--faults",
            split = ",",
            paramLabel = "FAULT",
            description =
                    "Of kill and stop (relays), cut (connections), outage (the broker), db-restart; 'none' for none."
                            + " Default: all that stop no server of yours.")
    private String @Nullable [] faults;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "How long to write and to make faults. Default: ${DEFAULT-VALUE}.")
    private long seconds;

    @Option(
            names = "--relays",
            paramLabel = "R",
            defaultValue = "3",
            description = "How many relays share the work. Default: ${DEFAULT-VALUE}. Range: 1 to 16.")
    private int relays;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Makes the choices of another run again. Default: random.")
    private @Nullable Long seed;

    @Option(names = "--keep", description = "Leaves tables and topic in place afterwards.")
    private boolean keep;

    @Option(
            names = "--headless",
            description = "Plain lines instead of a live display; also chosen when there is no terminal.")
    private boolean headless;

    /** What is to be proven. */
    public ProofSettings settings() {
        SecureRandom random = new SecureRandom();
        try {
            return new ProofSettings(
                    "prove_%06x".formatted(random.nextInt(RANDOM_NAME)),
                    Duration.ofSeconds(seconds),
                    relays,
                    faults(),
                    Optional.ofNullable(seed).orElseGet(() -> (long) random.nextInt(Integer.MAX_VALUE)),
                    keep,
                    Optional.ofNullable(preset).map(Preset::of),
                    ProofSettings.USUAL_PATIENCE);
        } catch (ProofException | IllegalArgumentException wrong) {
            throw usage(wrong);
        }
    }

    private Set<Fault> faults() {
        if (faults == null) {
            return faultsThatStopNoServerOfOthers();
        }
        return faults.length == 1 && "none".equals(faults[0])
                ? Set.of()
                : Arrays.stream(faults).map(Fault::of).collect(Collectors.toSet());
    }

    private Set<Fault> faultsThatStopNoServerOfOthers() {
        Set<Fault> chosen = EnumSet.of(Fault.KILL, Fault.CUT);
        if (relays > 1) {
            chosen.add(Fault.STOP);
        }
        if (!store.startsWith("jdbc:") && !ProofSite.losesCommitsWhenKilled(store)) {
            chosen.add(Fault.DB_RESTART);
        }
        if (!destination.contains("://")) {
            chosen.add(Fault.OUTAGE);
        }
        return chosen;
    }

    /** Finds or starts the servers. */
    public ProofSite site() {
        try {
            SafeText.rememberAddress(destination);
            return ProofSite.open(store, account::complete, destination);
        } catch (IllegalArgumentException wrong) {
            throw usage(wrong);
        }
    }

    public boolean isHeadless() {
        return headless;
    }

    private ParameterException usage(RuntimeException wrong) {
        return new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
}
