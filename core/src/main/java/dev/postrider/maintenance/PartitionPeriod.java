package dev.postrider.maintenance;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** How much time one partition of the audit trail covers, in UTC. */
public enum PartitionPeriod {
    /** An hour; created 48 hours ahead by default. For retentions of hours, or for many millions of messages a day. */
    HOUR(ChronoUnit.HOURS, "yyyyMMddHH", Duration.ofHours(48), Duration.ofDays(40)),
    /** A day; created 30 days ahead by default. */
    DAY(ChronoUnit.DAYS, "yyyyMMdd", Duration.ofDays(30), Duration.ofDays(1000)),
    /** A calendar month; created 90 days ahead by default. */
    MONTH(ChronoUnit.MONTHS, "yyyyMM", Duration.ofDays(90), Duration.ofDays(3650));

    /** Names a part of a period, which needs its exact start. */
    private static final DateTimeFormatter EXACT = labels("yyyyMMddHHmmss");

    private final ChronoUnit unit;
    private final DateTimeFormatter label;
    private final Duration defaultLookahead;
    private final Duration maxLookahead;

    PartitionPeriod(ChronoUnit unit, String label, Duration defaultLookahead, Duration maxLookahead) {
        this.unit = unit;
        this.label = labels(label);
        this.defaultLookahead = defaultLookahead;
        this.maxLookahead = maxLookahead;
    }

    private static DateTimeFormatter labels(String pattern) {
        return DateTimeFormatter.ofPattern("'p'" + pattern).withZone(ZoneOffset.UTC);
    }

    /** The start of the period in which this moment lies. */
    Instant startOf(Instant moment) {
        ZonedDateTime time = moment.atZone(ZoneOffset.UTC);
        return unit == ChronoUnit.MONTHS
                ? time.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1).toInstant()
                : time.truncatedTo(unit).toInstant();
    }

    /** The start of the next period. */
    Instant next(Instant start) {
        return start.atZone(ZoneOffset.UTC).plus(1, unit).toInstant();
    }

    /** The label of the partition from here to there: by the period if it covers one, else by its exact start. */
    String label(Instant from, Instant upTo) {
        boolean isWhole = from.equals(startOf(from)) && upTo.equals(next(from));
        return (isWhole ? label : EXACT).format(from);
    }

    Duration defaultLookahead() {
        return defaultLookahead;
    }

    Duration maxLookahead() {
        return maxLookahead;
    }
}
