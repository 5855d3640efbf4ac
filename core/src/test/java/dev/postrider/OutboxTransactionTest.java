package dev.postrider;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.StoreException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class OutboxTransactionTest {

    @Test
    void saysWhyATransactionCannotBegin() {
        Outbox outbox = Outbox.withDefaults(failing(OutboxStore.class));

        assertThatThrownBy(() -> outbox.inTransaction(failing(DataSource.class), tx -> {}))
                .isInstanceOf(StoreException.class)
                .hasMessage("Cannot begin a transaction: Connection to db:5432 refused")
                .hasCauseInstanceOf(SQLException.class);
    }

    private static <T> T failing(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                OutboxTransactionTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    throw new SQLException("Connection to db:5432 refused");
                }));
    }
}
