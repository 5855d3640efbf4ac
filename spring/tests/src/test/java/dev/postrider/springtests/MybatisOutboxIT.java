package dev.postrider.springtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.spring.SpringOutbox;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.SqlSessionFactoryBean;
import org.mybatis.spring.SqlSessionTemplate;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** MyBatis and the outbox in one transaction of Spring. */
class MybatisOutboxIT {

    interface OrderMapper {
        @Insert("INSERT INTO orders VALUES (#{id}, 'new')")
        void insert(@Param("id") String id);
    }

    @Test
    void sharesTheTransaction() throws Exception {
        try (Shop shop = Shop.open()) {
            OrderMapper orders = mapper(shop);
            SpringOutbox outbox = SpringOutbox.builder(shop.outbox, shop.pool).build();
            TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(shop.pool));

            transaction.executeWithoutResult(status -> {
                orders.insert("a");
                outbox.enqueue(shop.message("a", "x"));
            });
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                        orders.insert("b");
                        outbox.enqueue(shop.message("b", "x"));
                        orders.insert("a");
                    }))
                    .isInstanceOf(DuplicateKeyException.class);

            assertThat(shop.orders()).containsExactly("a");
            assertThat(shop.deliveredKeys()).containsExactly("a");
        }
    }

    private static OrderMapper mapper(Shop shop) throws Exception {
        SqlSessionFactoryBean factoryBean = new SqlSessionFactoryBean();
        factoryBean.setDataSource(shop.pool);
        SqlSessionFactory factory = factoryBean.getObject();
        factory.getConfiguration().addMapper(OrderMapper.class);
        return new SqlSessionTemplate(factory).getMapper(OrderMapper.class);
    }
}
