package dev.postrider.spring.modulith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.NoTransactionException;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spring.modulith.ModulithShop.OrderPlaced;
import dev.postrider.spring.modulith.ModulithShop.StockReserved;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.support.EventExternalizerModuleListener;

/** What Spring Modulith externalises goes to the outbox, in the transaction of its publisher. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ModulithIT {

    private final Database database = Servers.postgres().createDatabase("modulith");
    private final String url = database.jdbcUrl() + "?user=" + database.user() + "&password=" + database.password();
    private final AnnotationConfigApplicationContext context = ModulithShop.start(url);
    private final JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
    private final RecordingDestination destination = new RecordingDestination("broker");
    private int before;

    @BeforeEach
    void count() {
        jdbc.update("DELETE FROM event_publication");
        before = delivered(0).size();
    }

    @AfterAll
    void close() {
        context.close();
    }

    private List<OutboxMessage> delivered(int from) {
        Relay.withDefaults(context.getBean(OutboxStore.class), destination).drainOnce();
        List<OutboxMessage> all = destination.delivered();
        return all.subList(from, all.size());
    }

    private int publications() {
        return jdbc.queryForObject("SELECT count(*) FROM event_publication", Integer.class);
    }

    @Test
    void targetAndRoutingBecomeTopicAndKey() {
        ModulithShop.inTransaction(context, transaction -> {
            context.publishEvent(new OrderPlaced("17", 1));
            assertThat(jdbc.queryForObject("SELECT count(*) FROM outbox", Integer.class))
                    .as("written at once")
                    .isOne();
        });

        assertThat(delivered(before)).singleElement().satisfies(message -> {
            assertThat(message.topic()).isEqualTo("orders");
            assertThat(message.key()).contains("17");
            assertThat(message.type()).isEqualTo("dev.postrider.spring.modulith.ModulithShop.OrderPlaced");
            assertThat(new String(message.payload(), StandardCharsets.UTF_8)).isEqualTo("{\"id\":\"17\",\"number\":1}");
        });
    }

    @Test
    void leavesNoPublicationInTheRegistryWhichIsThereForListenersInside() {
        ModulithShop.inTransaction(context, transaction -> context.publishEvent(new OrderPlaced("18", 1)));
        assertThat(publications()).isZero();

        ModulithShop.inTransaction(context, transaction -> context.publishEvent(new StockReserved("18")));
        assertThat(publications()).as("the registry works").isOne();
        assertThat(delivered(before)).hasSize(1);
    }

    @Test
    void rollsBackWithThePublisher() {
        assertThatThrownBy(() -> ModulithShop.inTransaction(context, transaction -> {
                    context.publishEvent(new OrderPlaced("19", 1));
                    throw new IllegalStateException("on purpose");
                }))
                .hasMessage("on purpose");
        assertThat(delivered(before)).isEmpty();
        assertThat(publications()).isZero();
    }

    @Test
    void refusesOutsideATransaction() {
        assertThatThrownBy(() -> context.publishEvent(new OrderPlaced("20", 1)))
                .isInstanceOf(NoTransactionException.class);
    }

    @Test
    void keepsTheOrderOfAKey() {
        IntStream.range(0, 40)
                .forEach(number -> ModulithShop.inTransaction(
                        context, transaction -> context.publishEvent(new OrderPlaced("same", number))));

        assertThat(delivered(before))
                .extracting(message -> new String(message.payload(), StandardCharsets.UTF_8))
                .isEqualTo(IntStream.range(0, 40)
                        .mapToObj(number -> "{\"id\":\"same\",\"number\":" + number + "}")
                        .toList());
    }

    /** With an after-commit listener the event would be lost, or wait for the next start of the application. */
    @Test
    void deliversWhatWasCommittedByAProcessThatIsKilledRightAfter() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ModulithShop.class.getName(),
                        url)
                .redirectErrorStream(true)
                .start();
        CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> read(process));
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();

        assertThat(process.exitValue()).as(output.get(10, TimeUnit.SECONDS)).isEqualTo(9);
        assertThat(delivered(before))
                .extracting(message -> message.key().orElseThrow())
                .containsExactly("killed");
    }

    private static String read(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (java.io.IOException failure) {
            return failure.toString();
        }
    }

    /** As a module of Modulith for a broker defines it. */
    static class SecondExternalizer {
        @Bean
        EventExternalizerModuleListener externalizer(EventExternalizationConfiguration configuration) {
            return new EventExternalizerModuleListener(
                    configuration, (event, target) -> CompletableFuture.completedFuture(null));
        }
    }

    @Test
    void refusesToStartWhereModulithWouldSendASecondTime() {
        AnnotationConfigApplicationContext twice = new AnnotationConfigApplicationContext();
        twice.registerBean("dataSource", DataSource.class, () -> context.getBean(DataSource.class));
        twice.register(ModulithShop.class, SecondExternalizer.class);
        assertThatThrownBy(twice::refresh).hasStackTraceContaining("externalization.mode=outbox");
    }
}
