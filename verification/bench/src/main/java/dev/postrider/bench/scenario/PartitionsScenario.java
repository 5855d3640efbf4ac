package dev.postrider.bench.scenario;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Rounds;
import dev.postrider.bench.measure.RoundsBySubject;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.store.jdbc.AuditTrail;
import java.util.List;
import java.util.Locale;

/** The drain while delivered messages are kept, in a plain and in a partitioned table, against deleting them. */
final class PartitionsScenario implements Scenario {

    @Override
    public Summary summary() {
        return new Summary(
                "partitions",
                "drain with the audit trail, plain and partitioned, against none",
                new Size(100_000, 512, 5),
                new Size(40_000, 512, 12));
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        Contest contest = new Contest(context);
        try (OpenOutboxes outboxes = new OpenOutboxes()) {
            for (AuditTrail audit : trails(context)) {
                BenchOutbox outbox = outboxes.add(context.database().openOutbox(settings -> settings.audit(audit)));
                Backlog backlog = new Backlog(outbox, context.payload());
                contest.subject(audit.name(), backlog::byRelay);
            }
            return lines(contest.run());
        }
    }

    /** H2 has no partitions. */
    private static List<AuditTrail> trails(BenchContext context) {
        return context.database().kind() == DatabaseKind.H2
                ? List.of(AuditTrail.NONE, AuditTrail.PLAIN)
                : List.of(AuditTrail.values());
    }

    private static List<Measurement> lines(RoundsBySubject rounds) {
        Rounds none = rounds.of(AuditTrail.NONE.name());
        return rounds.all().entrySet().stream()
                .map(audit -> line(audit.getKey(), audit.getValue(), none))
                .toList();
    }

    private static Measurement line(String audit, Rounds rounds, Rounds none) {
        Measurement line = rounds.measured("postrider").with("audit", audit.toLowerCase(Locale.ROOT));
        return rounds == none ? line : line.comparedWith(rounds.medianRatioTo(none), "no-audit");
    }
}
