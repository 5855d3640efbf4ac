package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.maintenance.Cleanup;
import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.maintenance.PartitionReport;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.AuditPartitions.Outcome;
import dev.postrider.spi.AuditPartitions.Partition;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Partitions that are dropped after their retention, and what must never go with them. */
abstract class PartitionRetention extends PartitionCreation {

    PartitionRetention() {}

    @Test
    void dropsOldDaysKeepsPreviousAndPresentAndAddsTheNext() {
        IntStream.of(-3, -2, -1, 0).forEach(this::createDay);
        addSent(day(-3));
        addSent(day(-2));
        addSent(day(-1));
        deliver("a");

        PartitionReport report = keeper().retention(DAY).build().runOnce();

        assertThat(report.dropped()).containsExactly(name(day(-3)), name(day(-2)));
        assertThat(report.created()).containsExactly(name(day(1)));
        assertThat(names()).containsExactly(name(day(-1)), name(day(0)), name(day(1)));
        assertThat(fixture.kept()).hasSize(2);
        assertThat(rowsIn(tail())).isZero();
    }

    @Test
    void createsHoursAheadAndDropsThemAfterTheRetention() {
        createsAheadAndDropsAfterTheRetention(PartitionPeriod.HOUR, ChronoUnit.HOURS, Duration.ofHours(1));
    }

    @Test
    void createsDaysAheadAndDropsThemAfterTheRetention() {
        createsAheadAndDropsAfterTheRetention(PartitionPeriod.DAY, ChronoUnit.DAYS, DAY);
    }

    /** The shortest month: what ended one period ago surely ended that long ago. */
    @Test
    void createsMonthsAheadAndDropsThemAfterTheRetention() {
        createsAheadAndDropsAfterTheRetention(PartitionPeriod.MONTH, ChronoUnit.MONTHS, Duration.ofDays(28));
    }

    private void createsAheadAndDropsAfterTheRetention(PartitionPeriod period, ChronoUnit unit, Duration retention) {
        ZonedDateTime present = startOf(unit);
        List<String> old = IntStream.of(-4, -3, -2)
                .mapToObj(offset -> createPeriod(present.plus(offset, unit), unit))
                .toList();
        String stays = createPeriod(present, unit);
        deliver("a");

        PartitionReport report = PartitionKeeper.builder(fixture.store(), period)
                .lookahead(unit.getDuration().multipliedBy(2))
                .retention(retention)
                .lockTimeout(LOCK_TIMEOUT)
                .build()
                .runOnce();

        assertThat(report.dropped()).isEqualTo(old);
        assertThat(report.created()).isNotEmpty();
        assertThat(names().get(0)).isEqualTo(stays);
        List<Partition> ahead = partitions().read().partitions();
        assertThat(ahead.get(1).from()).isEqualTo(present.plus(1, unit).toInstant());
        assertThat(ahead.get(1).upTo()).isEqualTo(present.plus(2, unit).toInstant());
        assertThat(fixture.kept()).hasSize(1);
        assertThat(rowsIn(stays)).isEqualTo(1);
        assertThat(rowsIn(tail())).isZero();
    }

    private ZonedDateTime startOf(ChronoUnit unit) {
        ZonedDateTime now = partitions().read().databaseTime().atZone(ZoneOffset.UTC);
        return unit == ChronoUnit.MONTHS ? now.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1) : now.truncatedTo(unit);
    }

    /** Creates the partition of one period, with a row at its start. */
    private String createPeriod(ZonedDateTime start, ChronoUnit unit) {
        String name = partitions().read().namePrefix() + "of" + start.toEpochSecond();
        Partition partition =
                new Partition(name, start.toInstant(), start.plus(1, unit).toInstant());
        assertThat(partitions().create(partition, LOCK_TIMEOUT, 0)).isEqualTo(Outcome.DONE);
        if (start.plus(1, unit).toInstant().isBefore(partitions().read().databaseTime())) {
            addSent(start.toInstant());
        }
        return name;
    }

    @Test
    void keepsEverythingThatIsNotDeliveredHoweverOld() {
        createDay(-9);
        addSent(day(-9));
        OutboxMessage hot = StoreDriver.message("hot");
        OutboxMessage held = StoreDriver.message("held");
        OutboxMessage dead = StoreDriver.message("dead");
        OutboxMessage delayed =
                StoreDriver.builder("t").deliverAfter(Duration.ofHours(1)).build();
        driver.commit(hot, held, dead, delayed);
        driver.hold(held, Duration.ZERO);
        driver.bury(dead);
        for (String suffix : List.of("", "_held", "_dead", "_delayed")) {
            execute("UPDATE %s SET created_at = %s".formatted(table(suffix), literal(day(-9))));
        }

        assertThat(keeper().retention(DAY).build().runOnce().dropped()).containsExactly(name(day(-9)));

        assertThat(fixture.kept()).isEmpty();
        assertThat(driver.hotIds()).containsExactly(hot.id());
        assertThat(driver.dueIds()).containsExactly(held.id());
        assertThat(driver.deadIds()).containsExactly(dead.id());
        assertThat(fixture.store().stats().delayed()).isEqualTo(1);
    }

    @Test
    void dropsNothingByDefault() {
        createDay(-400);

        assertThat(keeper().build().runOnce().dropped()).isEmpty();
        assertThat(names()).contains(name(day(-400)));
    }

    @Test
    void deletesOldRowsThatLieInTheTailUpToTheLimit() {
        addSent(day(-9));
        addSent(day(-8));
        deliver("recent");

        assertThat(partitions().deleteFromTail(DAY, 1)).isEqualTo(1);
        assertThat(partitions().deleteFromTail(DAY, 10)).isEqualTo(1);
        assertThat(partitions().deleteFromTail(DAY, 10)).isZero();
        assertThat(rowsIn(tail())).isEqualTo(1);
    }

    @Test
    void leavesOldRowsOfOtherPartitionsToTheDrop() {
        createDay(-9);
        addSent(day(-9));

        assertThat(partitions().deleteFromTail(DAY, 10)).isZero();
        assertThat(fixture.kept()).hasSize(1);
    }

    @Test
    void cleansUpAcrossPartitionsUntilDone() {
        IntStream.of(-4, -3, -2).forEach(this::createDay);
        for (int i = 0; i < 3; i++) {
            addSent(day(-4));
            addSent(day(-3).plusSeconds(i));
            addSent(day(-2).plusSeconds(i));
        }
        deliver("recent");

        long deleted = Cleanup.builder(fixture.store(), DAY)
                .limit(2)
                .pause(Duration.ZERO)
                .build()
                .runOnce()
                .sent();

        assertThat(deleted).isEqualTo(9);
        assertThat(fixture.kept()).hasSize(1);
    }

    @Test
    void dropsNothingThatHasChangedSinceItWasRead() {
        createDay(-9);
        Partition other = new Partition(name(day(-9)), day(-9), day(-7));

        partitions().drop(other, LOCK_TIMEOUT);

        assertThat(names()).containsExactly(name(day(-9)));
    }
}
