package dev.postrider.service.database;

import dev.postrider.message.MessageLimits;
import dev.postrider.service.config.PropertyTree;
import dev.postrider.service.config.Section;
import dev.postrider.service.config.Setting;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.existing.MoveOutboxStore;
import dev.postrider.store.existing.MoveStoreBuilder;
import dev.postrider.store.existing.Preset;
import dev.postrider.store.existing.StatusOutboxStore;
import dev.postrider.store.existing.StatusStoreBuilder;
import dev.postrider.store.existing.TableImport;
import dev.postrider.store.existing.TableMapping;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/**
 * The section {@code existing} of an outbox: tables that already exist, described by a preset, by a mapping, or by a preset with
 * changes. Checked when it is read, as far as that is possible without the database.
 */
public final class ExistingSettings {

    private static final Set<Preset> MOVING = EnumSet.of(Preset.PENDING_WAIT, Preset.PENDING);

    private final Section section;
    private final Optional<Preset> preset;
    private final Optional<TableMapping> mapping;

    private ExistingSettings(Section section, Optional<Preset> preset, Optional<TableMapping> mapping) {
        this.section = section;
        this.preset = preset;
        this.mapping = mapping;
    }

    /** @param maxAttempts of the relay, if the file says it: a preset that gives up by attempts then gives up after this many */
    public static ExistingSettings read(Section section, Optional<Integer> maxAttempts) {
        Optional<Preset> preset = section.text(ExistingKeys.PRESET.name()).map(text -> presetOf(section, text));
        boolean isMove = preset.filter(MOVING::contains).isPresent();
        section.allow(isMove ? moveKeys() : tableKeys());
        ExistingSettings settings = new ExistingSettings(
                section,
                preset,
                isMove ? Optional.empty() : Optional.of(new MappingSection(section, preset, maxAttempts).read()));
        // Makes all calls once: a bad value is found here, not when the database can be reached.
        settings.rehearse(NoDatabase.dataSource());
        return settings;
    }

    /**
     * The tables of a preset, as a command line names them.
     *
     * @param table the name of its one table, or of the pending one, if it is not the preset's
     * @throws dev.postrider.service.config.ConfigException if there is no such preset
     */
    public static ExistingSettings ofPreset(String preset, Optional<String> table) {
        PropertyTree tree = new PropertyTree("existing");
        tree.add(List.of(ExistingKeys.PRESET.name()), preset, "");
        boolean isMove = MOVING.stream().anyMatch(one -> one.label().equals(preset));
        table.ifPresent(name -> tree.add(List.of(isMove ? "pending-table" : "table"), name, ""));
        return read(tree.section(), Optional.empty());
    }

    private static Preset presetOf(Section section, String text) {
        try {
            return Preset.of(text);
        } catch (IllegalArgumentException unknown) {
            throw section.refuse(ExistingKeys.PRESET.name(), String.valueOf(unknown.getMessage()));
        }
    }

    private static List<String> moveKeys() {
        List<String> known = new ArrayList<>(List.of(ExistingKeys.PRESET.name()));
        known.addAll(Setting.names(ExistingKeys.MOVE));
        return known;
    }

    private static List<String> tableKeys() {
        List<String> known =
                new ArrayList<>(List.of(ExistingKeys.PRESET.name(), MappingSection.COLUMNS, MappingSection.STATUS));
        known.addAll(Setting.names(ExistingKeys.MAPPING));
        known.addAll(Setting.names(ExistingKeys.STORE));
        return known;
    }

    /** Whether the table itself says when a failed row is due, from its last attempt: the relay's back-off is then of no use. */
    public boolean reckonsRetries() {
        return mapping.filter(TableMapping::reckonsRetries).isPresent();
    }

    private void rehearse(DataSource dataSource) {
        if (mapping.isPresent()) {
            status(dataSource, mapping.get());
        } else {
            move(dataSource);
        }
    }

    OutboxStore open(DataSource dataSource, MessageLimits limits) {
        return mapping.isPresent()
                ? status(dataSource, mapping.get()).limits(limits).build()
                : move(dataSource).limits(limits).build();
    }

    /** What moves undelivered rows into an outbox of Postrider's own. */
    TableImport.Builder importer(DataSource dataSource) {
        return mapping.isPresent()
                ? TableImport.from(status(dataSource, mapping.get()))
                : TableImport.from(move(dataSource));
    }

    private StatusStoreBuilder status(DataSource dataSource, TableMapping table) {
        StatusStoreBuilder builder = StatusOutboxStore.builder(dataSource, table);
        section.applyTo(builder, ExistingKeys.STORE);
        return builder;
    }

    private MoveStoreBuilder move(DataSource dataSource) {
        MoveStoreBuilder builder = MoveOutboxStore.builder(dataSource, preset.orElseThrow());
        section.applyTo(builder, ExistingKeys.MOVE);
        return builder;
    }
}
