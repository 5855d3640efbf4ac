package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.cli.FakeCheckout.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the script at the root does before the command line itself: when it builds, and what it says when it cannot. */
@Timeout(120)
class LauncherIT {

    @TempDir
    private Path directory;

    private FakeCheckout checkout;

    @BeforeEach
    void createCheckout() throws IOException {
        checkout = new FakeCheckout(directory);
    }

    @Test
    void buildsOnFirstUseOnlyAndSaysItsSteps() throws Exception {
        Run first = checkout.run("status");
        Run second = checkout.run("status");

        assertThat(first.err())
                .containsExactly(
                        "postrider: building operate/cli and what it needs; the first time takes a minute",
                        "postrider: collecting its libraries",
                        "postrider: recording its classes, for quicker starts",
                        "postrider: built");
        assertThat(second.err()).isEmpty();
        assertThat(checkout.builds())
                .singleElement()
                .asString()
                .startsWith(checkout.jdk() + " ")
                .endsWith("-Dquick -Dbuild.output=target/launcher -pl operate/cli -am package");
        assertThat(second.out()).isEqualTo(first.out()).contains("[dev.postrider.cli.Main][status]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pom.xml", "operate/cli/src/main/java/Main.java", "stores/new/pom.xml"})
    void buildsAgainWhenASourceHasChanged(String file) throws Exception {
        checkout.run();
        checkout.write(file, "changed");
        checkout.run();

        assertThat(checkout.builds()).hasSize(2);
    }

    @Test
    void buildsAgainWhenASourceIsGone() throws Exception {
        checkout.run();
        Files.delete(checkout.root().resolve("operate/cli/src/main/java/Main.java"));
        checkout.run();

        assertThat(checkout.builds()).hasSize(2);
    }

    @Test
    void buildsAgainWhenASourceChangedDuringTheBuild() throws Exception {
        // Times of files are as fine as the ticks of a clock.
        checkout.maven("sleep 0.1; echo changed >operate/cli/src/main/java/Main.java");
        checkout.run();
        checkout.run();

        assertThat(checkout.builds()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void buildsOnceWhenTwoAreStartedAtOnce(boolean withFlock) throws Exception {
        checkout.hideOtherPrograms();
        checkout.maven("until [ -e ../go ]; do sleep 0.1; done");
        String path = withFlock ? checkout.allPrograms() : checkout.fewPrograms();
        Run first = checkout.start(path, "status");
        Run second = checkout.start(path, "doctor");
        Files.createFile(directory.resolve("go"));

        assertThat(first.exitCode()).as(() -> first.toString()).isZero();
        assertThat(second.exitCode()).isZero();
        assertThat(checkout.builds()).hasSize(1);
        assertThat(first.out()).endsWith("[status]\n");
        assertThat(second.out()).endsWith("[doctor]\n");
    }

    @Test
    void givesArgumentsAndOptionsOnAsTheyAreAlsoThroughALink() throws Exception {
        Path link = Files.createSymbolicLink(
                directory.resolve("link"), checkout.root().resolve("postrider"));
        Map<String, String> options = Map.of("POSTRIDER_JAVA_OPTS", "-Xmx1g -Da=b", "POSTRIDER_MAVEN_OPTS", "-o");

        Run run = checkout.start(link, options, "pause", "two words", "", "$(x) \"'*");

        assertThat(run.exitCode()).as(String.join("\n", run.err())).isZero();
        assertThat(run.out())
                .contains("[-Xmx1g][-Da=b]")
                .endsWith("[dev.postrider.cli.Main][pause][two words][][$(x) \"'*]\n");
        assertThat(checkout.builds().get(0)).contains(" -o ");
    }

    @Test
    void optimisesWhatRunsForLongOnly() throws Exception {
        assertThat(checkout.run("status").out()).contains("TieredStopAtLevel");
        assertThat(checkout.run("relay").out()).doesNotContain("TieredStopAtLevel");
    }

    /** Maven resets a terminal's colours when it ends, also where there is no terminal. */
    @Test
    void printsNothingOfMavensForTerminals() throws Exception {
        checkout.maven("printf '\\033[0m\\033[0m'");

        assertThat(checkout.run("status").err())
                .contains("postrider: built")
                .noneMatch(line -> line.isEmpty() || line.contains("\033"));
    }

    @Test
    void failsWithTheBuildAndTriesAgainTheNextTime() throws Exception {
        checkout.maven("echo 'a compiler error' >&2; exit 1");
        Run failed = checkout.run("status");
        checkout.maven("");
        Run good = checkout.run("status");

        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.err()).endsWith("a compiler error", "postrider: the build failed; see above.");
        assertThat(failed.out()).isEmpty();
        assertThat(good.exitCode()).isZero();
    }

    @Test
    void saysInOneLineThatThereIsNoJdk() throws Exception {
        Files.delete(checkout.jdk().resolve("bin/java"));

        assertRefusal("needs a JDK 17 or later; found none. Install one or set JAVA_HOME.");
    }

    @Test
    void saysInOneLineThatTheJdkIsTooOld() throws Exception {
        checkout.java("11.0.2");

        assertRefusal("needs a JDK 17 or later; " + checkout.jdk() + "/bin/java is version 11. Set JAVA_HOME.");
    }

    @Test
    void believesWhatTheJdkSaysOfItselfInItsReleaseFile() throws Exception {
        Files.writeString(checkout.jdk().resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"1.8.0_402\"\n");

        assertRefusal("needs a JDK 17 or later; " + checkout.jdk() + "/bin/java is version 1. Set JAVA_HOME.");
    }

    @Test
    void saysInOneLineThatThereIsNoCompiler() throws Exception {
        Files.delete(checkout.jdk().resolve("bin/javac"));

        assertRefusal("needs a JDK to build the command line; " + checkout.jdk() + " has no compiler. Set JAVA_HOME.");
    }

    @Test
    void saysInOneLineThatThereIsNoMaven() throws Exception {
        checkout.hideOtherPrograms();
        checkout.removeMaven();
        Run run = checkout.start(checkout.fewPrograms(), "status");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .containsExactly("postrider: needs Maven 3.8 or later to build the command line; found none.");
    }

    @Test
    void saysInOneLineThatItCannotWrite() throws Exception {
        checkout.write("target", "a file where a directory is needed");

        assertRefusal("cannot build the command line: " + checkout.root() + "/target/launcher cannot be written.");
    }

    private void assertRefusal(String line) throws Exception {
        Run run = checkout.run("status");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).containsExactly("postrider: " + line);
        assertThat(run.out()).isEmpty();
        assertThat(checkout.builds()).isEmpty();
    }
}
