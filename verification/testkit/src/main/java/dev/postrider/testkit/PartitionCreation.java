package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.maintenance.PartitionReport;
import dev.postrider.maintenance.RunOutcome;
import dev.postrider.message.MessageId;
import dev.postrider.spi.AuditPartitions.Partition;
import dev.postrider.spi.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Partitions that are created ahead: where deliveries go, and what becomes of those that came before their partition. */
abstract class PartitionCreation extends PartitionSetting {

    PartitionCreation() {}

    @Test
    void createsPartitionsAheadOnce() {
        PartitionReport report = keeper().build().runOnce();

        assertThat(report.outcome()).isEqualTo(RunOutcome.DONE);
        assertThat(report.created()).containsExactly(name(day(0)), name(day(1)));
        assertThat(names()).containsExactly(name(day(0)), name(day(1)));
        Partition tomorrow = partitions().read().partitions().get(1);
        assertThat(tomorrow.from()).isEqualTo(day(1));
        assertThat(tomorrow.upTo()).isEqualTo(day(2));
        assertThat(keeper().build().runOnce().created()).isEmpty();
    }

    @Test
    void createsHoursAndMonths() {
        PartitionReport hours = PartitionKeeper.builder(fixture.store(), PartitionPeriod.HOUR)
                .lookahead(Duration.ofHours(3))
                .build()
                .runOnce();
        assertThat(hours.created()).hasSize(4);

        PartitionReport months = PartitionKeeper.builder(fixture.store(), PartitionPeriod.MONTH)
                .lookahead(Duration.ofDays(62))
                .build()
                .runOnce();
        assertThat(months.created()).hasSizeGreaterThanOrEqualTo(2);
        List<Partition> all = partitions().read().partitions();
        assertThat(IntStream.range(1, all.size()))
                .allMatch(i -> all.get(i).from().equals(all.get(i - 1).upTo()));
        deliver("a");
        assertThat(rowsIn(tail())).isZero();
    }

    @Test
    void recordsADeliveryInThePartitionOfItsTime() {
        keeper().build().runOnce();

        deliver("a", "b");

        assertThat(rowsIn(name(day(0)))).isEqualTo(2);
        assertThat(rowsIn(tail())).isZero();
    }

    @Test
    void recordsADeliveryInTheTailWhenItsTimeHasNoPartition() {
        deliver("a");
        addSent(day(400));

        assertThat(rowsIn(tail())).isEqualTo(2);
        assertThat(fixture.kept()).hasSize(2);
    }

    @Test
    void movesRowsOfTheTailIntoTheirNewPartition() {
        deliver("a", "b");
        addSent(day(400));
        List<MessageId> before = fixture.kept();

        keeper().build().runOnce();

        assertThat(rowsIn(name(day(0)))).isEqualTo(2);
        assertThat(rowsIn(tail())).isEqualTo(1);
        assertThat(fixture.kept()).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void leavesRowsInTheTailThatAreTooManyToMove() {
        deliver("a", "b");

        PartitionReport report = keeper().maxMovedRows(1).build().runOnce();

        assertThat(report.skipped()).contains(name(day(0)));
        assertThat(rowsIn(tail())).isEqualTo(2);
        deliver("c");
        assertThat(fixture.kept()).hasSize(3);
        assertThat(keeper().maxMovedRows(3).build().runOnce().created()).contains(name(day(0)));
        assertThat(fixture.kept()).hasSize(3);
    }

    @Test
    void refusesANameThatAPartitionOfAnotherTimeHas() {
        Instant longAgo = day(-100);
        partitions().create(new Partition(name(day(0)), longAgo, longAgo.plusSeconds(3600)), LOCK_TIMEOUT, 0);

        assertThatThrownBy(() -> keeper().build().runOnce())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(name(day(0)));
    }
}
