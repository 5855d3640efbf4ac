package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.cli.options.Environment;
import dev.postrider.cli.options.OptionDefaults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Every option of every command is read from the command line, from the environment and from the file alike. */
class OptionSourcesTest {

    /** Stand with an outbox, or say where the file is. */
    private static final Set<String> NOT_IN_FILE = Set.of("config", "url", "user", "password-file");

    /** Built once: to find out all options of all commands takes longer than everything else here. */
    private static final CommandLine PROGRAM = Main.program(new Environment(Map.of()));

    @TempDir
    private static Path directory;

    private final Shell shell = new Shell();

    static Stream<List<String>> everyCommand() {
        List<List<String>> commands = new ArrayList<>();
        collect(PROGRAM, List.of(), commands);
        return commands.stream();
    }

    private static void collect(CommandLine command, List<String> path, List<List<String>> commands) {
        // Completion and help are about the program itself, and take nothing of a file.
        if (command.getSubcommands().isEmpty() && command.getCommandSpec().findOption("--output") != null) {
            commands.add(path);
        }
        command.getSubcommands().forEach((name, below) -> {
            List<String> longer = new ArrayList<>(path);
            longer.add(name);
            collect(below, longer, commands);
        });
    }

    @ParameterizedTest
    @MethodSource("everyCommand")
    void readsEveryOptionFromEverySource(List<String> command) throws IOException {
        Map<String, String> samples = samples(command);
        Map<String, String> given = values(command, Map.of(), samples);
        Map<String, String> ofCommand = new HashMap<>();
        Map<String, String> ofProgram = new HashMap<>();
        samples.forEach((option, sample) -> {
            ofCommand.put(variable(String.join("_", command) + "_" + option), sample);
            ofProgram.put(variable(option), sample);
        });

        assertThat(given).hasSameSizeAs(samples).doesNotContainValue("null");
        assertThat(values(command, ofCommand, Map.of())).isEqualTo(given);
        assertThat(values(command, ofProgram, Map.of())).isEqualTo(given);

        samples.keySet().removeAll(NOT_IN_FILE);
        given.keySet().removeAll(NOT_IN_FILE);
        Path file = file(String.join(" ", command), samples);
        assertThat(values(command, Map.of("POSTRIDER_CONFIG", file.toString()), Map.of()))
                .containsAllEntriesOf(given);
    }

    private static String variable(String words) {
        return "POSTRIDER_" + words.replace('-', '_').toUpperCase(Locale.ROOT);
    }

    private static Path file(String command, Map<String, String> options) throws IOException {
        StringBuilder text = new StringBuilder("options:\n  " + command + ":\n");
        options.forEach((option, value) ->
                text.append("    ").append(option).append(": \"").append(value).append("\"\n"));
        return Files.writeString(directory.resolve("postrider.yaml"), text);
    }

    private static Stream<OptionSpec> options(CommandLine command) {
        return command.getCommandSpec().options().stream()
                .filter(option -> !option.usageHelp() && !option.versionHelp());
    }

    private static String nameOf(OptionSpec option) {
        return option.longestName().substring(2);
    }

    private static Map<String, String> samples(List<String> command) {
        CommandLine found = OptionDefaults.commandOf(PROGRAM, command);
        return options(found).collect(Collectors.toMap(OptionSourcesTest::nameOf, OptionSourcesTest::sample));
    }

    /** What the options of the command are when it is called in this environment with these. */
    private static Map<String, String> values(
            List<String> command, Map<String, String> variables, Map<String, String> given) {
        Environment environment = new Environment(variables);
        CommandLine called = OptionDefaults.commandOf(PROGRAM, command);
        List<String> arguments = new ArrayList<>(command);
        given.forEach((option, value) -> arguments.add("--" + option + "=" + value));
        called.getCommandSpec().positionalParameters().forEach(parameter -> arguments.add("x"));
        // The sample of --config names no file.
        boolean hasFile =
                variables.containsKey("POSTRIDER_CONFIG") && Files.exists(Path.of(variables.get("POSTRIDER_CONFIG")));
        PROGRAM.setDefaultValueProvider(OptionDefaults.of(PROGRAM, environment, hasFile ? command : List.of("--help")));
        PROGRAM.parseArgs(arguments.toArray(String[]::new));
        return options(called).collect(Collectors.toMap(OptionSourcesTest::nameOf, option -> shown(option.getValue())));
    }

    private static String shown(Object value) {
        return value instanceof Object[] several ? List.of(several).toString() : Objects.toString(value);
    }

    private static String sample(OptionSpec option) {
        Class<?> type = option.typeInfo().getAuxiliaryTypes().length > 0
                ? option.typeInfo().getAuxiliaryTypes()[0]
                : option.type();
        if (type == boolean.class) {
            return "true";
        }
        if (type.isEnum()) {
            Object[] all = type.getEnumConstants();
            return all[all.length - 1].toString();
        }
        if (type == Duration.class) {
            return "7s";
        }
        return type == Instant.class ? "2026-03-01" : "7";
    }

    @ParameterizedTest
    @CsvSource({
        "options: {staus: {interval: 5s}}, line 1: options: unknown key 'staus'; did you mean 'status'?",
        "options: {status: {intervall: 5s}}, line 1: options.status: unknown key 'intervall'; did you mean 'interval'?",
        "options: {status: {url: x}}, line 1: options.status.url is not allowed here; set it in the section of the outbox",
        "options: {demo: {config: x}}, line 1: options.demo.config is not allowed here",
    })
    void refusesWhatIsNoOptionWithItsLine(String text, String problem) throws IOException {
        Path file = Files.writeString(directory.resolve("wrong.yaml"), text);

        assertThat(shell.run("demo", "--config", file.toString())).isEqualTo(2);
        assertThat(shell.err()).startsWith("postrider demo: wrong.yaml ").contains(problem);
    }

    @Test
    void prefersTheCommandLineToTheEnvironmentAndThatToTheFile() throws IOException {
        Path file = file("all", Map.of("orders", "0"));
        shell.set("POSTRIDER_CONFIG", file.toString());
        assertThat(shell.run("demo")).isEqualTo(2);
        assertThat(shell.err()).contains("--orders is 0");

        shell.set("POSTRIDER_ORDERS", "-1");
        assertThat(shell.run("demo")).isEqualTo(2);
        assertThat(shell.err()).contains("--orders is -1");

        assertThat(shell.run("demo", "--orders", "-2")).isEqualTo(2);
        assertThat(shell.err()).contains("--orders is -2");
    }

    @Test
    void explainsItselfWhateverTheFileSays() {
        shell.set("POSTRIDER_CONFIG", "nowhere.yaml");

        assertThat(shell.run("status", "--help")).isZero();
        assertThat(shell.run("status")).isEqualTo(2);
        assertThat(shell.err()).contains("There is no file nowhere.yaml");
    }

    @Test
    void takesAnEmptyVariableForNone() {
        shell.set("POSTRIDER_ORDERS", "").set("POSTRIDER_RELAYS", "1");

        assertThat(shell.run("demo")).isEqualTo(2);
        assertThat(shell.err()).contains("--relays is 1");
    }
}
