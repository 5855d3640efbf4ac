package dev.postrider.service.database;

import dev.postrider.service.config.Section;
import dev.postrider.service.config.Setting;
import dev.postrider.store.existing.Preset;
import dev.postrider.store.existing.StatusValues;
import dev.postrider.store.existing.TableMapping;
import java.util.Optional;

/** Reads which columns of an existing table mean what: those of the preset, if one is named, with what the file says on top. */
final class MappingSection {

    static final String COLUMNS = "columns";
    static final String STATUS = "status";

    private final Section section;
    private final Optional<Preset> preset;
    private final Optional<Integer> maxAttempts;

    MappingSection(Section section, Optional<Preset> preset, Optional<Integer> maxAttempts) {
        this.section = section;
        this.preset = preset;
        this.maxAttempts = maxAttempts;
    }

    TableMapping read() {
        TableMapping.Builder builder = base();
        section.applyTo(builder, ExistingKeys.MAPPING);
        section.section(COLUMNS).ifPresent(columns -> {
            columns.allow(Setting.names(ExistingKeys.COLUMNS));
            columns.applyTo(builder, ExistingKeys.COLUMNS);
        });
        section.section(STATUS).ifPresent(status -> builder.status(valuesOf(status)));
        try {
            return builder.build();
        } catch (IllegalArgumentException wrong) {
            throw section.refuse(String.valueOf(wrong.getMessage()));
        }
    }

    private TableMapping.Builder base() {
        if (preset.isEmpty()) {
            if (!section.has("table")) {
                throw section.refuse("'preset' or 'table' is missing");
            }
            return TableMapping.builder("outbox");
        }
        TableMapping mapping = preset.get()
                .findMapping()
                .orElseThrow(() -> section.refuse(
                        ExistingKeys.PRESET.name(), "is " + preset.get().label() + ", which holds no messages"));
        TableMapping.Builder builder = mapping.toBuilder();
        if (mapping.deadAtAttempts().isPresent()) {
            maxAttempts.ifPresent(builder::deadAtAttempts);
        }
        return builder;
    }

    private static StatusValues valuesOf(Section status) {
        status.allow(Setting.names(ExistingKeys.STATUS));
        ExistingKeys.Values values = new ExistingKeys.Values();
        status.applyTo(values, ExistingKeys.STATUS);
        return new StatusValues(
                status.requireText(ExistingKeys.STATUS_COLUMN),
                status.requireText("pending"),
                values.find("sending"),
                values.find("retry"),
                values.find("delivered"),
                values.find("dead"));
    }
}
