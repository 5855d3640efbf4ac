package dev.postrider.store.postgres;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source without a pool whose target can be exchanged, as a fail-over does, and whose connections can be wrapped. */
final class SwitchableDataSource implements DataSource {

    private volatile CompletableFuture<DataSource> target;
    private volatile UnaryOperator<Connection> wrapper = UnaryOperator.identity();

    SwitchableDataSource(DataSource target) {
        this.target = CompletableFuture.completedFuture(target);
    }

    /** From now on those who want a connection wait for the next target, as behind a proxy during a fail-over. */
    void hold() {
        this.target = new CompletableFuture<>();
    }

    void switchTo(DataSource other) {
        if (!target.complete(other)) {
            this.target = CompletableFuture.completedFuture(other);
        }
    }

    private DataSource target() {
        return target.join();
    }

    void wrapWith(UnaryOperator<Connection> newWrapper) {
        this.wrapper = newWrapper;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return wrapper.apply(target().getConnection());
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return wrapper.apply(target().getConnection(user, password));
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return target().getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        target().setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        target().setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return target().getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return target().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return target().isWrapperFor(type);
    }
}
