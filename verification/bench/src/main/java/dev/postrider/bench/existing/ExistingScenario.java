package dev.postrider.bench.existing;

import static java.util.stream.Collectors.toMap;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Rounds;
import dev.postrider.bench.measure.RoundsBySubject;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.existing.Preset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** A backlog in a table of another outbox to nowhere, against that outbox's own statements. */
public final class ExistingScenario implements Scenario {

    private static final List<Setting> SETTINGS = List.of(new Setting(1, 50), new Setting(4, 50), new Setting(8, 100));

    private final Preset preset;
    private final OldSystem old;

    private ExistingScenario(Preset preset) {
        this.preset = preset;
        this.old = OldSystem.of(preset);
    }

    /** One for each preset that has messages. */
    public static List<Scenario> all() {
        return Stream.of(Preset.values())
                .filter(preset -> preset != Preset.RELAY_LOCK)
                .<Scenario>map(ExistingScenario::new)
                .toList();
    }

    /** As users of both set it: how many workers, and how many rows a worker claims at once. */
    record Setting(int workers, int batch) {}

    @Override
    public Summary summary() {
        return new Summary(
                "existing-" + preset.label(),
                "a backlog in tables of preset %s to nowhere, against the statements of the system that made them"
                        .formatted(preset.label()),
                new Size(20_000, 512, 5),
                new Size(20_000, 512, 3));
    }

    @Override
    public boolean runsOn(DatabaseKind kind) {
        return preset.databases().contains(kind.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        try (OldTables tables = OldTables.create(context, preset)) {
            Contest contest = new Contest(context);
            for (Setting setting : settings()) {
                OutboxStore store = tables.open(setting);
                contest.subject("old " + setting, messages -> tables.byOld(old, setting, messages));
                contest.subject("new " + setting, messages -> tables.byRelay(store, setting, messages));
            }
            return lines(contest.run());
        }
    }

    /** Where one relay is active at a time, there is one worker. */
    private List<Setting> settings() {
        return SETTINGS.stream()
                .map(setting -> old.hasLeader() ? new Setting(1, setting.batch()) : setting)
                .distinct()
                .toList();
    }

    private List<Measurement> lines(RoundsBySubject rounds) {
        List<Measurement> lines = new ArrayList<>();
        Map<Setting, Rounds> relays = settings().stream()
                .collect(toMap(each -> each, each -> rounds.of("new " + each), (a, b) -> a, LinkedHashMap::new));
        Rounds fewest = relays.values().iterator().next();
        relays.forEach((setting, relay) -> {
            Rounds before = rounds.of("old " + setting);
            lines.add(told(before.measured("old-relay"), setting));
            lines.add(told(
                    relay.measured("postrider")
                            .comparedWith(relay.medianRatioTo(before), "old-relay")
                            .with("ratio_to_first_setting", relay.medianRatioTo(fewest)),
                    setting));
        });
        return lines;
    }

    private static Measurement told(Measurement line, Setting setting) {
        return line.with("workers", setting.workers()).with("batch_size", setting.batch());
    }
}
