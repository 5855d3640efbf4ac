package dev.postrider.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Gives a test an outbox in memory in the place of the real one: no tables, no relay and no broker. For {@code @SpringBootTest} and for any
 * slice, such as {@code @DataJpaTest}. For applications with a single outbox.
 *
 * <p>It keeps the rules of the real one: what is written outside a transaction is refused, and what is rolled back is gone, savepoints
 * included. Methods with {@code @EventHandler} get no events, so that nothing contacts a broker: a test calls them itself.
 *
 * <pre>{@code
 * @DataJpaTest
 * @AutoConfigurePostrider
 * @Import(Orders.class)
 * class OrdersTest {
 *     @Autowired Orders orders;
 *     @Autowired AssertablePostrider postrider;
 *
 *     @Test
 *     void tellsOfAnOrder() {
 *         orders.place("17");
 *         assertThat(postrider).enqueued(OrderPlaced.class).withKey("17");
 *     }
 * }
 * }</pre>
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ImportAutoConfiguration
@TestPropertySource(properties = {"postrider.relay.enabled=false", "postrider.handlers.enabled=false"})
public @interface AutoConfigurePostrider {}
