package dev.postrider.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.postrider.cli.command.PostriderCommand;
import dev.postrider.cli.options.Environment;
import dev.postrider.cli.options.Values;
import dev.postrider.service.ServiceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What is in deploy/ fits together, and fits the command line and its configuration. Runs none of it. */
class DeployFilesTest {

    private static final DeployFile DOCKERFILE = DeployFile.of("Dockerfile");
    private static final DeployFile COMPOSE = DeployFile.of("compose.yaml");
    private static final DeployFile OBSERVABILITY = DeployFile.of("observability/compose.yaml");
    private static final DeployFile UNIT = DeployFile.of("postrider.service");
    private static final DeployFile CONFIG_MAP = DeployFile.of("kubernetes/configmap.yaml");
    private static final DeployFile DEPLOYMENT = DeployFile.of("kubernetes/deployment.yaml");
    private static final DeployFile SERVICE = DeployFile.of("kubernetes/service.yaml");
    private static final DeployFile CRON_JOB = DeployFile.of("kubernetes/cleanup-cronjob.yaml");

    private static final String CONTAINER = "spec.template.spec.containers.0.";
    private static final String CRON_CONTAINER = "spec.jobTemplate.spec.template.spec.containers.0.";
    private static final String PORT = "8081";
    private static final String CONFIG_PATH = "/etc/postrider/postrider.yaml";
    private static final Set<String> OTHER_VARIABLES =
            Set.of("POSTRIDER_LOG", "POSTRIDER_LOG_FORMAT", "POSTRIDER_PASSWORD");
    private static final Map<String, String> ENVIRONMENT = Map.of("DB_USER", "u", "DB_PASSWORD", "p");

    static Stream<DeployFile> yamlFiles() {
        return DeployFile.all().stream().filter(DeployFile::isYaml);
    }

    static Stream<DeployFile> allFiles() {
        return DeployFile.all().stream();
    }

    @ParameterizedTest
    @MethodSource("yamlFiles")
    void canBeParsed(DeployFile file) {
        assertThat(file.content()).isInstanceOf(Map.class);
    }

    static Stream<List<String>> commands() {
        String exec = String.join(",", DOCKERFILE.find("^CMD \\[(.*)]$").toList());
        return Stream.concat(
                Stream.of(
                        List.of(exec.replace("\"", "").split(", ?")),
                        COMPOSE.listAt("services.relay.command"),
                        DEPLOYMENT.listAt(CONTAINER + "args"),
                        CRON_JOB.listAt(CRON_CONTAINER + "args")),
                UNIT.find("^ExecStart=.*/postrider\\.jar (.*)$").map(line -> List.of(line.split(" "))));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void callsCommandsWithOptionsThatThereAre(List<String> arguments) {
        assertThatCode(() -> commandLine().parseArgs(arguments.toArray(String[]::new)))
                .as("%s", arguments)
                .doesNotThrowAnyException();
        if (arguments.get(0).equals("relay")) {
            assertThat(arguments).containsSequence("--config", CONFIG_PATH);
        }
    }

    private static CommandLine commandLine() {
        return new CommandLine(new PostriderCommand(new Environment(Map.of())))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Duration.class, Values::duration)
                .registerConverter(Instant.class, Values::moment);
    }

    @Test
    void startsTheJarThatTheBuildMakes() throws IOException {
        String pom = Files.readString(DeployFile.DIRECTORY.resolveSibling("operate/cli/pom.xml"));

        assertThat(pom).contains("<outputFile>${project.build.directory}/postrider.jar</outputFile>");
        assertThat(DOCKERFILE.text())
                .contains("COPY --from=build /src/operate/cli/target/postrider.jar /opt/postrider/")
                .contains("\"-jar\", \"/opt/postrider/postrider.jar\"");
        assertThat(UNIT.find("-jar (/\\S+)")).containsExactly("/opt/postrider/postrider.jar");
        assertThat(UNIT.text()).contains("operate/cli/target/postrider.jar into /opt/postrider");
    }

    @Test
    void configuresWhatThereIs(@TempDir Path directory) throws IOException {
        Path fromMap = Files.writeString(
                directory.resolve("postrider.yaml"),
                String.valueOf(CONFIG_MAP.at("data.[postrider.yaml]"))
                        .replace("/run/secrets/postrider/password", secretFile(directory)));

        for (Path file : List.of(DeployFile.of("postrider.yaml").path(), fromMap)) {
            assertThat(ServiceConfig.load(file, ENVIRONMENT)
                            .outbox("app")
                            .routes()
                            .destinations())
                    .containsExactly("main");
        }
    }

    private static String secretFile(Path directory) throws IOException {
        return Files.writeString(directory.resolve("password"), "secret").toString();
    }

    @Test
    void setsEveryVariableThatTheConfigurationAsksFor() {
        assertThat(DeployFile.of("postrider.yaml").find("\\$\\{(\\w+)}"))
                .isNotEmpty()
                .allMatch(name -> ((Map<?, ?>) COMPOSE.at("services.relay.environment")).containsKey(name));
        assertThat(CONFIG_MAP.find("\\$\\{(\\w+)}"))
                .isNotEmpty()
                .allMatch(DeployFilesTest.variables(DEPLOYMENT)::contains);
    }

    private static Set<Object> variables(DeployFile file) {
        Set<Object> names = new HashSet<>();
        file.under("env").forEach(list -> ((List<?>) list).forEach(one -> names.add(((Map<?, ?>) one).get("name"))));
        return names;
    }

    /** An option, written as a variable; for one command or for all. */
    @ParameterizedTest
    @MethodSource("allFiles")
    void setsOnlyVariablesThatAreRead(DeployFile file) {
        Set<String> known = new HashSet<>(OTHER_VARIABLES);
        addVariables(commandLine(), known);

        assertThat(file.find("\\bPOSTRIDER_[A-Z_]+")).allMatch(known::contains);
    }

    private static void addVariables(CommandLine command, Set<String> known) {
        command.getCommandSpec()
                .options()
                .forEach(option -> known.add("POSTRIDER_"
                        + option.longestName()
                                .replaceFirst("^--", "")
                                .replace('-', '_')
                                .toUpperCase(Locale.ROOT)));
        command.getSubcommands().values().forEach(child -> addVariables(child, known));
    }

    @Test
    void agreesOnThePort() {
        assertThat(DeployFile.of("postrider.yaml").at("http.port")).hasToString(PORT);
        assertThat(CONFIG_MAP.find("^ +port: (\\d+)$")).containsExactly(PORT);
        assertThat(DOCKERFILE.find("^EXPOSE (\\d+)$")).containsExactly(PORT);
        assertThat(DOCKERFILE.find("/dev/tcp/127.0.0.1/(\\d+)")).containsExactly(PORT);
        assertThat(COMPOSE.listAt("services.relay.expose")).containsExactly(PORT);
        assertThat(DEPLOYMENT.under("containerPort"))
                .extracting(String::valueOf)
                .containsExactly(PORT);
        assertThat(DEPLOYMENT.find("prometheus.io/port: \"(\\d+)\"")).containsExactly(PORT);
        assertThat(SERVICE.at("spec.ports.0.port")).hasToString(PORT);
        assertThat(SERVICE.at("spec.ports.0.targetPort")).isEqualTo(DEPLOYMENT.at(CONTAINER + "ports.0.name"));
    }

    @Test
    void listensWhereOthersCanAsk() {
        assertThat(DeployFile.of("postrider.yaml").at("http.host")).isEqualTo("0.0.0.0");
        assertThat(CONFIG_MAP.find("^ +host: (.*)$")).containsExactly("0.0.0.0");
    }

    /** A relay that cannot reach its broker must not be restarted. */
    @Test
    void restartsForHealthAndNeverForReadiness() {
        assertThat(DEPLOYMENT.at(CONTAINER + "livenessProbe.httpGet.path")).isEqualTo("/health");
        assertThat(DEPLOYMENT.at(CONTAINER + "startupProbe.httpGet.path")).isEqualTo("/health");
        assertThat(DEPLOYMENT.at(CONTAINER + "readinessProbe.httpGet.path")).isEqualTo("/ready");
        assertThat(DEPLOYMENT.find("prometheus.io/path: (\\S+)")).containsExactly("/metrics");
        assertThat(DOCKERFILE.find("GET (\\S+) HTTP")).containsExactly("/health");
    }

    /** {@code /ready} answers within a second; the default of a probe is one second. */
    @Test
    void waitsLongEnoughForAnswers() {
        for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            assertThat((Integer) DEPLOYMENT.at(CONTAINER + probe + ".timeoutSeconds"))
                    .as(probe)
                    .isGreaterThan(1);
        }
    }

    @Test
    void mountsWhatIsReadWhereItIsRead() {
        assertThat(COMPOSE.listAt("services.relay.volumes")).containsExactly("./postrider.yaml:" + CONFIG_PATH + ":ro");
        assertThat(DEPLOYMENT.at(CONTAINER + "volumeMounts.0.mountPath") + "/postrider.yaml")
                .isEqualTo(CONFIG_PATH);
        assertThat(DEPLOYMENT.at(CONTAINER + "volumeMounts.1.mountPath") + "/"
                        + DEPLOYMENT.at("spec.template.spec.volumes.1.secret.items.0.path"))
                .isEqualTo(CONFIG_MAP.find("password-file: (.*)$").findFirst().orElseThrow());
        assertThat(((Map<?, ?>) DeployFile.of("kubernetes/secret.yaml").at("stringData"))
                        .keySet()
                        .toString())
                .contains("user", "password");
    }

    /** The second file of a call is relative to the folder of the first. */
    @Test
    void observesTheExample() {
        List<String> mounted = OBSERVABILITY.under("volumes").stream()
                .flatMap(list -> ((List<?>) list).stream())
                .map(volume -> String.valueOf(volume).split(":")[0])
                .toList();

        assertThat(mounted).isNotEmpty().allMatch(file -> Files.exists(DeployFile.DIRECTORY.resolve(file)));
        assertThat(((Map<?, ?>) COMPOSE.at("services")).keySet().toString()).contains("relay");
        assertThat(DeployFile.of("observability/prometheus.yaml").at("scrape_configs.0.dns_sd_configs.0.names.0"))
                .isEqualTo("relay");
        assertThat(DeployFile.of("observability/prometheus.yaml").at("scrape_configs.0.dns_sd_configs.0.port"))
                .hasToString(PORT);
        assertThat(OBSERVABILITY.listAt("services.prometheus.command")).contains("--enable-feature=exemplar-storage");
        assertThat(OBSERVABILITY.at("services.relay.environment.POSTRIDER_LOG_FORMAT"))
                .isEqualTo("ecs");
    }

    /** Each pipeline of the collector uses what is defined, and leads to where Tempo listens. */
    @Test
    void collectsTraces() {
        DeployFile collector = DeployFile.of("observability/collector.yaml");
        for (String part : List.of("receivers", "processors", "exporters")) {
            assertThat(collector.listAt("service.pipelines.traces." + part))
                    .isNotEmpty()
                    .allMatch(name -> ((Map<?, ?>) collector.at(part)).containsKey(name));
        }
        String tempo = String.valueOf(DeployFile.of("observability/tempo.yaml")
                        .at("distributor.receivers.otlp.protocols.grpc.endpoint"))
                .replace("0.0.0.0", "tempo");
        assertThat(collector.at("exporters.[otlp/tempo].endpoint")).isEqualTo(tempo);
        assertThat(DeployFile.of("observability/grafana-datasources.yaml").under("datasourceUid"))
                .containsExactly("tempo");
        assertThat(DeployFile.of("observability/grafana-datasources.yaml").under("uid"))
                .contains("tempo");
    }

    @Test
    void bringsEverySecretThatItAsksFor() {
        List<String> brought = kubernetesFiles()
                .filter(file -> file.at("kind").equals("Secret"))
                .map(file -> String.valueOf(file.at("metadata.name")))
                .toList();

        assertThat(kubernetesFiles()
                        .flatMap(file -> Stream.concat(
                                file.under("secretKeyRef").stream().map(secret -> ((Map<?, ?>) secret).get("name")),
                                file.under("secretName").stream()))
                        .map(String::valueOf))
                .isNotEmpty()
                .isSubsetOf(brought);
    }

    private static Stream<DeployFile> kubernetesFiles() {
        return yamlFiles().filter(file -> file.path().toString().contains("kubernetes"));
    }

    /** systemd obeys RestartPreventExitStatus for the main process only: a check before it would be repeated for ever. */
    @Test
    void systemdGivesUpOnAWrongConfiguration() {
        assertThat(UNIT.find("^(RestartPreventExitStatus=2)$")).hasSize(1);
        assertThat(UNIT.find("^(ExecStartPre)=")).isEmpty();
    }

    @Test
    void runsAsNobodySpecial() {
        String user = DOCKERFILE.find("^USER (\\d+)$").findFirst().orElseThrow();

        assertThat(DOCKERFILE.text()).contains("--uid " + user);
        assertThat(DEPLOYMENT.at("spec.template.spec.securityContext.runAsUser"))
                .hasToString(user);
        assertThat(CRON_JOB.under("runAsUser")).extracting(String::valueOf).containsExactly(user);
        assertThat(UNIT.text()).contains("DynamicUser=yes", "NoNewPrivileges=yes");
    }

    @Test
    void leavesTimeToStopGracefully() {
        long closing = Values.duration(
                        CONFIG_MAP.find("close-timeout: (.*)$").findFirst().orElseThrow())
                .toSeconds();

        assertThat((Integer) DEPLOYMENT.at("spec.template.spec.terminationGracePeriodSeconds"))
                .isGreaterThan((int) closing);
        assertThat(Values.duration(String.valueOf(COMPOSE.at("services.relay.stop_grace_period")))
                        .toSeconds())
                .isGreaterThan(closing);
        assertThat(UNIT.find("^TimeoutStopSec=(\\d+)$").map(Long::parseLong)).allMatch(seconds -> seconds > closing);
    }

    /** A name without a host: everybody has a registry of their own. */
    @ParameterizedTest
    @MethodSource("allFiles")
    void namesImagesWithoutARegistry(DeployFile file) {
        assertThat(Stream.concat(file.find("^ +(?:- )?image: (\\S+)$"), file.find("^FROM (\\S+)")))
                .allMatch(image -> image.matches("([a-z]+/)?[a-z-]+(:[\\w.-]+)?"));
    }

    @Test
    void selectsThePodsThatItStarts() {
        Object labels = DEPLOYMENT.at("spec.template.metadata.labels");

        assertThat(DEPLOYMENT.at("spec.selector.matchLabels")).isEqualTo(labels);
        assertThat(SERVICE.at("spec.selector")).isEqualTo(labels);
        assertThat(DeployFile.of("kubernetes/poddisruptionbudget.yaml").at("spec.selector.matchLabels"))
                .isEqualTo(labels);
        assertThat(CRON_JOB.under("labels")).doesNotContain((Object) null);
    }
}
