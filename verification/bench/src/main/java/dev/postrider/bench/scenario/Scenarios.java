package dev.postrider.bench.scenario;

import dev.postrider.bench.Scenario;
import dev.postrider.bench.existing.ExistingScenario;
import dev.postrider.bench.measure.BenchException;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All scenarios, in the order in which a report shows them; those that other jars bring come last. Stateless. */
public final class Scenarios {

    private static final List<Scenario> OWN = List.of(
            new EnqueueScenario(),
            new DrainScenario(),
            new GridScenario(),
            new MixedScenario(),
            new OldSnapshotScenario(),
            BacklogScenario.waiting(),
            BacklogScenario.dead(),
            new PayloadScenario(),
            HotKeyScenario.FEW_KEYS,
            new ScaleScenario(),
            new PartitionsScenario(),
            new MemoryScenario(),
            new BrokerScenario("kafka"),
            new BrokerScenario("kafka-fenced"),
            new BrokerScenario("rabbitmq"),
            new BrokerScenario("nats"),
            HotKeyScenario.GLOBAL,
            new InFlightScenario(),
            new SkipLockedScenario());

    private Scenarios() {}

    /** Those of this module and those that {@link ServiceLoader} finds. */
    public static List<Scenario> all() {
        Stream<Scenario> found = ServiceLoader.load(Scenario.class).stream().map(ServiceLoader.Provider::get);
        return Stream.of(OWN.stream(), ExistingScenario.all().stream(), found)
                .flatMap(each -> each)
                .toList();
    }

    /**
     * The one of that name, or else all whose names begin with it and a dash: {@code existing} names those of all presets.
     *
     * @throws BenchException if there is none
     */
    public static List<Scenario> named(String name) {
        List<Scenario> exact =
                all().stream().filter(scenario -> scenario.name().equals(name)).toList();
        List<Scenario> found = exact.isEmpty()
                ? all().stream()
                        .filter(scenario -> scenario.name().startsWith(name + "-"))
                        .toList()
                : exact;
        if (found.isEmpty()) {
            throw new BenchException("There is no scenario '%s'. Choose of: %s"
                    .formatted(name, all().stream().map(Scenario::name).collect(Collectors.joining(", "))));
        }
        return found;
    }
}
