package dev.postrider.bench.suite;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Pace;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Result;
import dev.postrider.bench.usage.UsageMonitor;
import dev.postrider.message.PostriderException;
import dev.postrider.servers.Servers;
import dev.postrider.servers.StartedBroker;
import dev.postrider.service.database.DatabaseSettings;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Runs each scenario on each database, one after another. A scenario that was finished before is not repeated; one that fails ends
 * the suite, so that it can be resumed there. For one thread.
 */
public final class Suite {

    private final SuiteSettings settings;
    private final UnaryOperator<DatabaseSettings.Builder> account;
    private final Set<String> finished;
    private final SuiteListener listener;
    private int runsDone;

    /**
     * @param account completes the settings of databases that are given by their address
     * @param finished checkpoints of what need not be repeated
     */
    public Suite(
            SuiteSettings settings,
            UnaryOperator<DatabaseSettings.Builder> account,
            Set<String> finished,
            SuiteListener listener) {
        this.settings = settings;
        this.account = account;
        this.finished = finished;
        this.listener = listener;
    }

    public void run() {
        for (String store : settings.stores()) {
            List<Scenario> left = left(store);
            if (!left.isEmpty()) {
                run(store, left);
            }
        }
    }

    private List<Scenario> left(String store) {
        List<Scenario> left = new ArrayList<>();
        for (Scenario scenario : settings.scenarios()) {
            if (finished.contains(settings.checkpoint(scenario, store))) {
                listener.note("%s on %s is finished already".formatted(scenario.name(), SuiteSettings.shown(store)));
                runsDone++;
            } else {
                left.add(scenario);
            }
        }
        return left;
    }

    private void run(String store, List<Scenario> scenarios) {
        listener.progress(done(), SuiteSettings.shown(store), "opening the database");
        try (BenchSite site = BenchSite.open(store, account, settings.isFast())) {
            for (Scenario scenario : scenarios) {
                if (scenario.runsOn(site.database().kind())) {
                    run(site, scenario, settings.checkpoint(scenario, store));
                } else {
                    listener.note("%s is left out: it does not run on %s".formatted(scenario.name(), site.label()));
                }
                runsDone++;
            }
        }
    }

    private void run(BenchSite site, Scenario scenario, String checkpoint) {
        String title = scenario.name() + " on " + site.label();
        listener.note(settings.describe(scenario));
        Optional<StartedBroker> started = startBroker(scenario, title);
        try (UsageMonitor usage = UsageMonitor.start(processes(site, started), site.database()::poolLevels)) {
            Optional<String> uri = started.map(StartedBroker::uri).or(() -> settings.destinationOf(scenario));
            Pace pace = settings.paceOf(scenario);
            BenchContext context = new BenchContext(
                    site.database(),
                    settings.sizeOf(scenario),
                    settings.seed(),
                    pace,
                    uri,
                    usage,
                    what -> listener.progress(done(), title, what));
            List<Measurement> measured = scenario.run(context);
            tellScale(scenario, pace);
            listener.finished(checkpoint, results(site, scenario, measured, pace));
        } catch (PostriderException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new BenchException("%s failed: %s".formatted(title, failed), failed);
        } finally {
            started.ifPresent(StartedBroker::close);
        }
    }

    private void tellScale(Scenario scenario, Pace pace) {
        if (pace.scale() != 1) {
            listener.note(SuiteSettings.describeScale(scenario, pace.scale()));
        }
    }

    private List<Result> results(BenchSite site, Scenario scenario, List<Measurement> measured, Pace pace)
            throws SQLException {
        double seconds = pace.used().toMillis() / 1e3;
        String server = site.database().version();
        return measured.stream()
                .map(line -> Result.of(scenario.name(), site.label(), line)
                        .with("scale", pace.scale())
                        .with("scenario_seconds", seconds)
                        .with("server", server))
                .map(line -> settings.chosenBroker(scenario)
                        .map(name -> line.with("broker", name))
                        .orElse(line))
                .toList();
    }

    private static Map<String, OptionalLong> processes(BenchSite site, Optional<StartedBroker> broker) {
        return Map.of(
                "database",
                site.processId(),
                "broker",
                broker.map(StartedBroker::processId).orElse(OptionalLong.empty()));
    }

    private Optional<StartedBroker> startBroker(Scenario scenario, String title) {
        return settings.destinationOf(scenario)
                .filter(given -> !SuiteSettings.isAddress(given))
                .map(name -> {
                    listener.progress(done(), title, "starting " + name);
                    return Servers.startBroker(name);
                });
    }

    private double done() {
        return (double) runsDone
                / (settings.scenarios().size() * settings.stores().size());
    }
}
