package dev.postrider.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.spi.AuditPartitions.Layout;
import dev.postrider.spi.AuditPartitions.Partition;
import dev.postrider.spi.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionPlanTest {

    private static final Duration DAY = Duration.ofDays(1);
    private static final String TAIL = "p_tail";

    private static Instant at(String text) {
        return Instant.parse(text.length() == 10 ? text + "T00:00:00Z" : text);
    }

    private static Partition partition(String name, String from, String upTo) {
        return new Partition(name, at(from), at(upTo));
    }

    private static Layout layout(String now, Partition... partitions) {
        return new Layout(at(now), List.of(partitions), TAIL, "");
    }

    private static List<Partition> created(Layout layout, PartitionPeriod period, Duration lookahead) {
        return PartitionPlan.of(layout, period, lookahead, Duration.ZERO).create();
    }

    @Test
    void addsThePresentDayAndThoseThatBeginWithinTheLookahead() {
        assertThat(created(layout("2025-03-01T10:00:00Z"), PartitionPeriod.DAY, DAY))
                .containsExactly(
                        partition("p20250301", "2025-03-01", "2025-03-02"),
                        partition("p20250302", "2025-03-02", "2025-03-03"));
    }

    @Test
    void addsNothingWhenThereIsEnoughAhead() {
        Layout enough = layout(
                "2025-03-01T10:00:00Z",
                partition("p20250301", "2025-03-01", "2025-03-02"),
                partition("p20250302", "2025-03-02", "2025-03-03"));

        assertThat(created(enough, PartitionPeriod.DAY, DAY)).isEmpty();
    }

    @Test
    void addsHoursAcrossMidnightAndMonthsAcrossNewYear() {
        assertThat(created(layout("2026-11-15T22:59:59Z"), PartitionPeriod.HOUR, Duration.ofHours(2)))
                .containsExactly(
                        partition("p2026111522", "2026-11-15T22:00:00Z", "2026-11-15T23:00:00Z"),
                        partition("p2026111523", "2026-11-15T23:00:00Z", "2026-11-16"),
                        partition("p2026111600", "2026-11-16", "2026-11-16T01:00:00Z"));
        assertThat(created(layout("2026-11-15T22:59:59Z"), PartitionPeriod.MONTH, Duration.ofDays(60)))
                .containsExactly(
                        partition("p202611", "2026-11-01", "2026-12-01"),
                        partition("p202612", "2026-12-01", "2027-01-01"),
                        partition("p202701", "2027-01-01", "2027-02-01"));
    }

    @Test
    void knowsLeapDays() {
        assertThat(created(layout("2028-02-28T12:00:00Z"), PartitionPeriod.DAY, DAY))
                .extracting(Partition::name)
                .containsExactly("p20280228", "p20280229");
    }

    @Test
    void beginsNamesWithTheStoresPrefix() {
        Layout named = new Layout(at("2025-03-01T10:00:00Z"), List.of(), TAIL, "outbox_sent_");

        assertThat(created(named, PartitionPeriod.DAY, Duration.ofHours(1)))
                .extracting(Partition::name)
                .containsExactly("outbox_sent_p20250301");
    }

    @Test
    void fillsGapsBetweenExistingPartitions() {
        Layout gaps = layout(
                "2025-03-01T10:00:00Z",
                partition("p20250228", "2025-02-28", "2025-03-01"),
                partition("p20250302", "2025-03-02", "2025-03-03"),
                partition("p20250304", "2025-03-04", "2025-03-05"));

        assertThat(created(gaps, PartitionPeriod.DAY, DAY.multipliedBy(3)))
                .containsExactly(
                        partition("p20250301", "2025-03-01", "2025-03-02"),
                        partition("p20250303", "2025-03-03", "2025-03-04"));
    }

    @Test
    void coversTheRestOfAPeriodThatSmallerPartitionsCoverInPart() {
        Layout days = layout(
                "2025-03-10T10:00:00Z",
                partition("p20250310", "2025-03-10", "2025-03-11"),
                partition("p20250311", "2025-03-11", "2025-03-12"),
                partition("odd", "2025-03-20", "2025-03-20T12:00:00Z"));

        assertThat(created(days, PartitionPeriod.MONTH, Duration.ofDays(30)))
                .containsExactly(
                        partition("p20250301000000", "2025-03-01", "2025-03-10"),
                        partition("p20250312000000", "2025-03-12", "2025-03-20"),
                        partition("p20250320120000", "2025-03-20T12:00:00Z", "2025-04-01"),
                        partition("p202504", "2025-04-01", "2025-05-01"));
    }

    @Test
    void leavesPeriodsAloneThatALargerPartitionCovers() {
        Layout month = layout("2025-03-30T10:00:00Z", partition("p202503", "2025-03-01", "2025-04-01"));

        assertThat(created(month, PartitionPeriod.DAY, DAY.multipliedBy(2)))
                .containsExactly(partition("p20250401", "2025-04-01", "2025-04-02"));
    }

    @Test
    void understandsPartitionsWithoutBounds() {
        Layout open = layout(
                "2025-03-10T10:00:00Z",
                new Partition("past", Instant.MIN, at("2025-03-11")),
                new Partition("future", at("2025-03-13"), Instant.MAX));

        assertThat(created(open, PartitionPeriod.DAY, DAY.multipliedBy(9)))
                .containsExactly(
                        partition("p20250311", "2025-03-11", "2025-03-12"),
                        partition("p20250312", "2025-03-12", "2025-03-13"));
        assertThat(PartitionPlan.of(open, PartitionPeriod.DAY, DAY, DAY).drop()).isEmpty();
    }

    @Test
    void refusesANameThatAPartitionOfAnotherTimeHas() {
        Layout conflict = layout("2025-03-01T10:00:00Z", partition("p20250301", "2024-01-01", "2024-01-02"));

        assertThatThrownBy(() -> created(conflict, PartitionPeriod.DAY, DAY))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("p20250301", "2025-03-01T00:00:00Z", "rename or drop");
    }

    @Test
    void refusesTheNameOfTheTail() {
        Layout conflict = new Layout(at("2025-03-01T10:00:00Z"), List.of(), "p20250301", "");

        assertThatThrownBy(() -> created(conflict, PartitionPeriod.DAY, DAY)).isInstanceOf(StoreException.class);
    }

    @Test
    void dropsWhatEndedTheRetentionAgo() {
        Layout layout = layout(
                "2025-03-05T00:00:00Z",
                partition("p20250301", "2025-03-01", "2025-03-02"),
                partition("p20250302", "2025-03-02", "2025-03-03"),
                partition("p20250303", "2025-03-03", "2025-03-04"),
                partition("p20250304", "2025-03-04", "2025-03-05"),
                partition("p20250305", "2025-03-05", "2025-03-06"));

        List<Partition> dropped = PartitionPlan.of(layout, PartitionPeriod.DAY, DAY, Duration.ofDays(2))
                .drop();

        assertThat(dropped).extracting(Partition::name).containsExactly("p20250301", "p20250302");
    }

    @Test
    void dropsNothingWithoutRetention() {
        Layout old = layout("2025-03-05T00:00:00Z", partition("p20250101", "2025-01-01", "2025-01-02"));

        assertThat(PartitionPlan.of(old, PartitionPeriod.DAY, DAY, Duration.ZERO)
                        .drop())
                .isEmpty();
    }

    /** At every hour of a day, over midnight too: all that is younger than the retention stays, all that ended before goes. */
    @Test
    void keepsTheRetentionAtEveryHour() {
        for (int hour = 0; hour < 24; hour++) {
            for (int retention = 1; retention < 24; retention++) {
                Instant now = at("2026-11-15").plus(hour, ChronoUnit.HOURS).plus(17, ChronoUnit.MINUTES);
                assertKeepsExactly(now, Duration.ofHours(retention), retention + 1);
            }
        }
    }

    private static void assertKeepsExactly(Instant now, Duration retention, int partitions) {
        List<Partition> kept = hoursUntil(now);

        PartitionPlan plan =
                PartitionPlan.of(new Layout(now, kept, TAIL, ""), PartitionPeriod.HOUR, Duration.ofHours(1), retention);

        Instant oldestToKeep = now.minus(retention);
        kept.removeAll(plan.drop());
        assertThat(plan.drop()).allMatch(partition -> !partition.upTo().isAfter(oldestToKeep));
        assertThat(kept)
                .allMatch(partition -> partition.upTo().isAfter(oldestToKeep))
                .hasSize(partitions);
        assertThat(plan.create())
                .extracting(Partition::from)
                .containsExactly(now.truncatedTo(ChronoUnit.HOURS).plus(1, ChronoUnit.HOURS));
    }

    private static List<Partition> hoursUntil(Instant now) {
        List<Partition> hours = new ArrayList<>();
        for (Instant from = at("2026-11-13"); from.isBefore(now); from = from.plus(1, ChronoUnit.HOURS)) {
            hours.add(new Partition("h" + from, from, from.plus(1, ChronoUnit.HOURS)));
        }
        return hours;
    }
}
