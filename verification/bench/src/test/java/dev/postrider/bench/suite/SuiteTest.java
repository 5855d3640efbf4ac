package dev.postrider.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.bench.Scenario;
import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class SuiteTest {

    private final Heard heard = new Heard();

    @Test
    void runsEachScenarioAndTellsTheScale() {
        run(Set.of(), settings("h2", new FakeScenario("first"), new FakeScenario("second")));
        assertThat(heard.results).extracting(result -> result.text("scenario")).containsExactly("first", "second");
        assertThat(heard.results)
                .allSatisfy(result -> assertThat(result.number("scale")).isEqualTo(0.0025));
        assertThat(heard.notes).anyMatch(note -> note.contains("scaled to 0.3 % of the full 1,000 messages"));
    }

    @Test
    void repeatsNothingThatIsFinished() {
        SuiteSettings settings = settings("h2", new FakeScenario("first"), new FakeScenario("second"));
        run(Set.of(settings.checkpoint(settings.scenarios().get(0), "h2")), settings);
        assertThat(heard.results).extracting(result -> result.text("scenario")).containsExactly("second");
        assertThat(heard.notes).contains("first on h2 is finished already");
    }

    @Test
    void leavesOutWhatDoesNotRunOnTheDatabase() {
        run(Set.of(), settings("h2", new FakeScenario("not on h2"), new FakeScenario("other")));
        assertThat(heard.results).extracting(result -> result.text("scenario")).containsExactly("other");
        assertThat(heard.notes).contains("not on h2 is left out: it does not run on h2");
    }

    @Test
    void failsIfMessagesAreMissing() {
        SuiteSettings settings = settings("h2", new FakeScenario("lossy", 9, List.of()));
        assertThatThrownBy(() -> run(Set.of(), settings))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("9 of 10 messages");
        assertThat(heard.results).isEmpty();
    }

    @Test
    void asksForAddressesWhereNoServerCanBeStarted() {
        assertThatThrownBy(() -> run(Set.of(), settings("postgres", new FakeScenario("any"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("This program starts none, give an address such as jdbc:postgresql://");
        SuiteSettings toKafka = settings("h2", new FakeScenario("any", 10, List.of("kafka")));
        assertThatThrownBy(() -> run(Set.of(), toKafka)).hasMessageContaining("kafka://host:9092");
    }

    @Test
    void usesTheGivenBrokerThatSuits() {
        SuiteSettings settings = new SuiteSettings(
                List.of(),
                List.of(),
                List.of("nats://host:4222", "kafka://host:9092"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                1,
                false,
                false);
        assertThat(settings.destinationOf(new FakeScenario("any", 10, List.of("kafka"))))
                .contains("kafka://host:9092");
        assertThat(settings.destinationOf(new FakeScenario("any", 10, List.of("rabbitmq", "nats"))))
                .contains("nats://host:4222");
        assertThat(settings.destinationOf(new FakeScenario("any", 10, List.of("rabbitmq"))))
                .as("one that is started")
                .contains("rabbitmq");
        assertThat(settings.destinationOf(new FakeScenario("any"))).isEmpty();
    }

    @Test
    void keepsNoPasswordInACheckpoint() {
        String address = "jdbc:postgresql://db/app?user=me&password=secret";
        SuiteSettings settings = settings(address, new FakeScenario("any"));
        assertThat(settings.checkpoint(settings.scenarios().get(0), address)).doesNotContain("secret");
    }

    private void run(Set<String> finished, SuiteSettings settings) {
        new Suite(settings, UnaryOperator.identity(), finished, heard).run();
    }

    private static SuiteSettings settings(String store, Scenario... scenarios) {
        return new SuiteSettings(
                List.of(scenarios),
                List.of(store),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                1,
                false,
                true);
    }

    private static final class Heard implements SuiteListener {

        private final List<String> notes = new ArrayList<>();
        private final List<Result> results = new ArrayList<>();

        @Override
        public void progress(double done, String scenario, String what) {
            assertThat(done).isBetween(0.0, 1.0);
        }

        @Override
        public void note(String text) {
            notes.add(text);
        }

        @Override
        public void finished(String checkpoint, List<Result> found) {
            results.addAll(found);
        }
    }
}
