package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableMappingTest {

    @Test
    void aCopyGoesByItsOwnColumnsAndNotByThoseOfTheOriginal() {
        TableMapping original = TableMapping.builder("t").build();
        TableMapping copy = original.toBuilder()
                .column(Role.ID, "number")
                .column(Role.DELIVERED, "done_at")
                .build();

        assertThat(original.order()).containsExactly("id");
        assertThat(original.deletesDelivered()).isTrue();
        assertThat(copy.order()).containsExactly("number");
        assertThat(copy.deletesDelivered()).isFalse();
    }

    @Test
    void aCopyKeepsWhatWasAskedFor() {
        TableMapping copy = TableMapping.builder("t")
                .column(Role.DELIVERED, "done_at")
                .order("done_at", "id")
                .deletesDelivered(true)
                .origin("here")
                .build()
                .toBuilder()
                .build();

        assertThat(copy.order()).containsExactly("done_at", "id");
        assertThat(copy.deletesDelivered()).isTrue();
        assertThat(copy.origin).contains("here");
    }

    @Test
    void aTableForGivenUpRowsTakesThePlaceOfALimitOfAttempts() {
        TableMapping preset = Preset.EVENT_OUTBOX.mapping();

        assertThat(preset.deadAtAttempts()).contains(5);
        assertThat(preset.toBuilder().deadTable("graves").build().deadAtAttempts())
                .isEmpty();
    }
}
