package dev.postrider.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {

    private static Section parse(String yaml) {
        return ConfigFile.parse("test.yaml", yaml, Map.of("USER", "ann", "BRACES", "a: {b}", "EMPTY", ""));
    }

    @Test
    void readsTextsSectionsAndLists() {
        Section file = parse("""
                name: x
                count: 007
                nothing:
                inner:
                  a: 'quoted: text'
                list:
                  - topic: one
                  - topic: two
                """);

        assertThat(file.text("name")).contains("x");
        assertThat(file.text("count")).contains("007");
        assertThat(file.text("nothing")).isEmpty();
        assertThat(file.section("inner").orElseThrow().text("a")).contains("quoted: text");
        assertThat(file.list("list"))
                .extracting(item -> item.requireText("topic"))
                .containsExactly("one", "two");
    }

    @Test
    void refusesAFileThatIsNestedTooDeeply() {
        for (String level : List.of("[", "{a: ", "- ")) {
            assertThatThrownBy(() -> parse("a:\n  " + level.repeat(100_000)))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("test.yaml line 1: ")
                    .hasMessageContaining("nested too deeply");
        }
    }

    @Test
    void refusesAliasesThatStandForVeryManyValues() {
        StringBuilder yaml = new StringBuilder("a0: &a0 {x: 1, y: 1}\n");
        for (int i = 1; i <= 20; i++) {
            yaml.append("a%d: &a%d {x: *a%d, y: *a%d}\n".formatted(i, i, i - 1, i - 1));
        }

        assertThatThrownBy(() -> parse(yaml.toString()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("more than 100,000 values");
    }

    @Test
    void refusesAFileThatIsTooLargeToBeOne(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("large.yaml"), "a: " + "x".repeat(2 << 20));

        assertThatThrownBy(() -> ConfigFile.read(file, Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("large.yaml has 2.1 MB", "at most 1 MiB");
    }

    @Test
    void fillsInTheEnvironment() {
        Section file = parse("""
                a: ${USER}
                b: x-${USER}-${MISSING:none}-${EMPTY}-${EMPTY:full}
                c: $${USER} costs $5
                d: ${MISSING:}
                """);

        assertThat(file.text("a")).contains("ann");
        assertThat(file.text("b")).contains("x-ann-none--");
        assertThat(file.text("c")).contains("${USER} costs $5");
        assertThat(file.text("d")).contains("");
    }

    @Test
    void letsNoVariableChangeTheStructure() {
        assertThat(parse("a: ${BRACES}").text("a")).contains("a: {b}");
    }

    @Test
    void namesTheLineOfAMissingVariable() {
        assertThatThrownBy(() -> parse("a: 1\nb:\n  c: ${MISSING}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("test.yaml line 3: b.c: the environment variable MISSING is not set; set it, or write"
                        + " ${MISSING:default}");
    }

    @Test
    void namesTheLineAndTheNearestKeyOfATypo() {
        Section file = parse("relay:\n  # a comment\n  wokers: 3\n");

        assertThatThrownBy(() -> file.section("relay").orElseThrow().allow(List.of("lease", "workers")))
                .hasMessage(
                        "test.yaml line 3: relay: unknown key 'wokers'; did you mean 'workers'? Known here: lease, workers");
    }

    @Test
    void suggestsNothingForAWordThatIsFarOff() {
        assertThatThrownBy(() -> parse("quark: 3").allow(List.of("http", "outboxes")))
                .hasMessageContaining("unknown key 'quark' Known here")
                .hasMessageNotContaining("did you mean");
    }

    @Test
    void namesBothLinesOfAKeyThatStandsTwice() {
        assertThatThrownBy(() -> parse("a: 1\nb: 2\na: 3\n"))
                .hasMessage("test.yaml line 3: a is set twice; the first time in line 1");
    }

    @Test
    void namesTheLineWhereItIsNoYaml() {
        assertThatThrownBy(() -> parse("a: 1\nb: [1, 2\nc: 3\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("test.yaml line 3: this is not YAML");
    }

    @Test
    void refusesOtherFormsThanExpected() {
        assertThatThrownBy(() -> parse("")).hasMessage("test.yaml line 1: the file is empty");
        assertThatThrownBy(() -> parse("- a")).hasMessageContaining("expected keys with values");
        assertThatThrownBy(() -> parse("a:\n  b: 1").text("a"))
                .hasMessage("test.yaml line 1: a: expected a single value");
        assertThatThrownBy(() -> parse("a: 1").section("a")).hasMessageContaining("expected keys with values");
        assertThatThrownBy(() -> parse("a: 1").list("a")).hasMessageContaining("expected a list");
        assertThatThrownBy(() -> parse("a: 1").requireText("b")).hasMessage("test.yaml line 1: 'b' is missing");
    }

    @Test
    void namesAFileThatIsMissing(@TempDir Path directory) {
        assertThatThrownBy(() -> ConfigFile.read(directory.resolve("no.yaml"), Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("There is no file")
                .hasMessageContaining("no.yaml");
    }

    @Test
    void saysWhyAFileCannotBeRead(@TempDir Path directory) throws Exception {
        Path wrong = Files.write(directory.resolve("latin1"), new byte[] {'a', ':', ' ', (byte) 0xe9});
        Path empty = Files.writeString(directory.resolve("empty"), "\n");

        assertThatThrownBy(() -> ConfigFile.read(wrong, Map.of())).hasMessageEndingWith("it is not in UTF-8");
        assertThatThrownBy(() -> ConfigFile.read(Path.of("/"), Map.of())).hasMessageStartingWith("Could not read /");
        assertThatThrownBy(() -> Secret.fromFile(wrong)).hasMessageEndingWith("it is not in UTF-8");
        assertThatThrownBy(() -> Secret.fromFile(empty)).hasMessage("The password file " + empty + " is empty");
        assertThatThrownBy(() -> Secret.fromFile(directory)).isInstanceOf(ConfigException.class);
    }

    @Test
    void takesWhatAnAnchorNamesButNothingThatNamesItself() {
        Section section = ConfigFile.parse("x.yaml", "a: &one {text: hello}\nb: *one", Map.of());

        assertThat(section.section("b").orElseThrow().texts()).containsEntry("text", "hello");
        assertThatThrownBy(() -> ConfigFile.parse("x.yaml", "a: 1\nb: &self {c: *self}", Map.of()))
                .hasMessage("x.yaml line 2: b: refers to itself");
    }

    @Test
    void showsNoSecret(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("password"), "top secret\n");

        Secret secret = Secret.fromFile(file);

        assertThat(secret).hasToString("***");
        assertThat(secret.reveal()).isEqualTo("top secret");
        assertThatThrownBy(() -> Secret.fromFile(directory.resolve("none")))
                .isInstanceOf(ConfigException.class)
                .hasMessageEndingWith("there is none");
    }
}
