package dev.postrider.springtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import dev.postrider.spring.SpringOutbox;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** jOOQ and the outbox in one transaction of Spring. */
class JooqOutboxIT {

    @Test
    void sharesTheTransaction() {
        try (Shop shop = Shop.open()) {
            DSLContext jooq = DSL.using(new TransactionAwareDataSourceProxy(shop.pool), SQLDialect.POSTGRES);
            SpringOutbox outbox = SpringOutbox.builder(shop.outbox, shop.pool).build();
            TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(shop.pool));

            transaction.executeWithoutResult(status -> {
                insert(jooq, "a");
                outbox.enqueue(shop.message("a", "x"));
            });
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                        insert(jooq, "b");
                        outbox.enqueue(shop.message("b", "x"));
                        insert(jooq, "a");
                    }))
                    .isInstanceOf(RuntimeException.class);

            assertThat(shop.orders()).containsExactly("a");
            assertThat(shop.deliveredKeys()).containsExactly("a");
        }
    }

    private static void insert(DSLContext jooq, String id) {
        jooq.insertInto(table("orders"), field("id"), field("status"))
                .values(id, "new")
                .execute();
    }
}
