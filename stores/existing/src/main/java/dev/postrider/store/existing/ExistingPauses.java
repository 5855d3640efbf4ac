package dev.postrider.store.existing;

import dev.postrider.spi.Pauses;
import dev.postrider.store.jdbc.TransactionRunner;
import java.util.Optional;
import java.util.Set;

/** Paused destinations: in the lock table for all relays, where there is one, else for those of this process. */
final class ExistingPauses implements Pauses {

    private final TransactionRunner transactions;
    private final Optional<LockTables> locks;
    private final Pauses here = Pauses.ofProcess();

    ExistingPauses(TransactionRunner transactions, Optional<LockTables> locks) {
        this.transactions = transactions;
        this.locks = locks;
    }

    /** Whether relays of other processes see them. */
    boolean isShared() {
        return locks.isPresent();
    }

    @Override
    public Set<String> paused() {
        Optional<LockTable> table = locks.flatMap(LockTables::find);
        return table.isPresent()
                ? transactions.inTransaction(
                        "read pauses", connection -> table.get().paused(connection))
                : here.paused();
    }

    @Override
    public void pause(String destination, String operator) {
        here.pause(destination, operator);
        locks.map(LockTables::get)
                .ifPresent(table ->
                        transactions.run("pause", connection -> table.pause(connection, destination, operator)));
    }

    @Override
    public void resume(String destination, String operator) {
        here.resume(destination, operator);
        locks.flatMap(LockTables::find)
                .ifPresent(table -> transactions.run("resume", connection -> table.resume(connection, destination)));
    }
}
