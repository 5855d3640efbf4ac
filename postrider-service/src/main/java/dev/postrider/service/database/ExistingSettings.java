package dev.postrider.service.database;

import dev.postrider.message.MessageLimits;
import dev.postrider.service.config.ConfigException;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.status.MoveOutboxStore;
import dev.postrider.store.status.MoveStoreBuilder;
import dev.postrider.store.status.Preset;
import dev.postrider.store.status.StatusOutboxStore;
import dev.postrider.store.status.StatusStoreBuilder;
import dev.postrider.store.status.TableMapping;
import java.util.Optional;
import javax.sql.DataSource;

/** Tables that already exist, by the preset that describes them. Not thread-safe. */
final class ExistingSettings {

    private Optional<Preset> preset = Optional.empty();
    private Optional<String> table = Optional.empty();
    private Optional<String> leader = Optional.empty();
    private Optional<String> completedTable = Optional.empty();

    void preset(Preset value) {
        this.preset = Optional.of(value);
    }

    void table(String value) {
        this.table = Optional.of(value);
    }

    void leader(String value) {
        this.leader = Optional.of(value);
    }

    void completedTable(String value) {
        this.completedTable = Optional.of(value);
    }

    boolean isGiven() {
        return preset.isPresent();
    }

    OutboxStore open(DataSource dataSource, MessageLimits limits) {
        return preset.orElseThrow() == Preset.PENDING_WAIT ? move(dataSource, limits) : status(dataSource, limits);
    }

    private OutboxStore move(DataSource dataSource, MessageLimits limits) {
        MoveStoreBuilder builder = MoveOutboxStore.builder(dataSource).limits(limits);
        leader.ifPresent(builder::leader);
        completedTable.ifPresent(builder::completedTable);
        return builder.build();
    }

    private OutboxStore status(DataSource dataSource, MessageLimits limits) {
        TableMapping mapping = preset.orElseThrow()
                .findMapping()
                .orElseThrow(() -> new ConfigException("existing is relay-lock, which holds no messages"));
        TableMapping named =
                table.map(name -> mapping.toBuilder().table(name).build()).orElse(mapping);
        StatusStoreBuilder builder =
                StatusOutboxStore.builder(dataSource, named).limits(limits);
        leader.ifPresent(builder::leader);
        return builder.build();
    }
}
