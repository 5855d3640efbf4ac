package dev.postrider.cli.command;

import dev.postrider.cli.output.Answers;
import dev.postrider.cli.output.Paint;
import dev.postrider.cli.output.Plain;
import dev.postrider.internal.Readable;
import dev.postrider.service.doctor.Examined;
import dev.postrider.service.operation.Fields;
import dev.postrider.spi.Finding;
import dev.postrider.spi.Finding.Severity;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints what the doctor has seen, check by check. Not thread-safe. */
final class DoctorReport {

    private static final String INDENT = " ".repeat(11);

    private final Answers answers;
    private final Paint paint;
    private final Map<Severity, Integer> counts = new EnumMap<>(Severity.class);
    private String subject = "";

    DoctorReport(Answers answers, Paint paint) {
        this.answers = answers;
        this.paint = paint;
    }

    void tell(Examined examined) {
        examined.findings().forEach(finding -> counts.merge(finding.severity(), 1, Integer::sum));
        answers.print(() -> lines(examined), () -> fields(examined));
        subject = examined.subject();
    }

    private List<String> lines(Examined examined) {
        List<String> lines = new ArrayList<>();
        if (!examined.subject().equals(subject)) {
            lines.add(paint.heading(Plain.text(examined.subject())));
        }
        if (examined.findings().isEmpty()) {
            lines.add("  " + paint.good("ok") + "       " + Plain.text(examined.check()));
        }
        for (Finding finding : examined.findings()) {
            lines.add("  %s %s: %s"
                    .formatted(painted(finding.severity()), Plain.text(examined.check()), Plain.text(finding.what())));
            lines.add(INDENT + "means: " + Plain.text(finding.meaning()));
            lines.add(INDENT + "fix:   " + Plain.text(finding.fix()));
        }
        return lines;
    }

    private String painted(Severity severity) {
        String word = "%-8s".formatted(severity);
        return switch (severity) {
            case ERROR -> paint.bad(word);
            case WARNING -> paint.warning(word);
            case NOTE -> word;
        };
    }

    private static Fields fields(Examined examined) {
        return new Fields()
                .with("subject", examined.subject())
                .with("check", examined.check())
                .with("ok", examined.findings().isEmpty())
                .with(
                        "findings",
                        examined.findings().stream().map(DoctorReport::fields).toList());
    }

    private static Map<String, Object> fields(Finding finding) {
        return new Fields()
                .with("severity", finding.severity().name().toLowerCase(Locale.ROOT))
                .with("what", finding.what())
                .with("meaning", finding.meaning())
                .with("fix", finding.fix())
                .map();
    }

    /** The last line; programs count for themselves. */
    void end() {
        if (!answers.isJson()) {
            answers.print(
                    () -> List.of(String.join(
                            ", ", counted(Severity.ERROR), counted(Severity.WARNING), counted(Severity.NOTE))),
                    Fields::new);
        }
    }

    private String counted(Severity severity) {
        return Readable.count(counts.getOrDefault(severity, 0), severity.name().toLowerCase(Locale.ROOT));
    }

    /** Whether there was a finding at least as bad. */
    boolean has(Severity least) {
        return counts.keySet().stream().anyMatch(severity -> severity.compareTo(least) >= 0);
    }
}
