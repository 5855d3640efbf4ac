package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryFailedException;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spring.SpringOutbox;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What operators see and do over the actuator. */
class ActuatorTest {

    private final ApplicationContextRunner application = runner(Shop.class);

    private static ApplicationContextRunner runner(Class<?> configuration) {
        return new ApplicationContextRunner()
                .withUserConfiguration(configuration)
                .withPropertyValues(
                        "spring.datasource.generate-unique-name=true",
                        "management.endpoints.web.exposure.include=*",
                        "management.endpoints.jmx.exposure.include=*",
                        "postrider.schema-mode=create",
                        "postrider.max-oldest-age=1h");
    }

    @Test
    void showsRetriesAndDiscardsDeadLetters() {
        application.run(context -> {
            send(context, "bad", 3);
            PostriderEndpoint endpoint = context.getBean(PostriderEndpoint.class);
            Eventually.await(() -> dead(endpoint, null, null).size() == 3);

            Map<String, Object> first = endpoint.part("dead", null, null, null, null, null, 2, null);
            assertThat(letters(first))
                    .hasSize(2)
                    .allSatisfy(letter ->
                            assertThat(letter).containsEntry("topic", "bad").doesNotContainKey("payload_base64"));
            assertThat(dead(endpoint, 2, (String) first.get("next"))).hasSize(1);

            assertThat(change(endpoint, "discard", "bad", true)).containsEntry("matching", 3L);
            assertThat(dead(endpoint, null, null)).hasSize(3);
            assertThatThrownBy(() -> change(endpoint, "discard", null, false))
                    .isInstanceOf(InvalidEndpointRequestException.class)
                    .hasMessageContaining("Which dead letters?");

            context.getBean(Shop.class).accepts.set(true);
            assertThat(change(endpoint, "retry", "bad", false)).containsEntry("requested", 3L);
            Eventually.await(() -> dead(endpoint, null, null).isEmpty());
            assertThat(context.getBean(JdbcTemplate.class)
                            .queryForList("select distinct operator from \"outbox_operation\"", String.class))
                    .containsExactly("actuator");
        });
    }

    @Test
    void pausesAndResumesADestination() {
        application.run(context -> {
            PostriderEndpoint endpoint = context.getBean(PostriderEndpoint.class);
            assertThat(pause(endpoint, "pause", true)).containsEntry("paused", false);
            assertThat(pause(endpoint, "pause", false)).containsEntry("paused", true);
            send(context, "good", 1);
            assertThat(endpoint.part("destinations", null, null, null, null, null, null, null)
                            .get("paused"))
                    .asString()
                    .contains("broker");
            assertThat(outbox(endpoint)).containsEntry("undelivered", 1L);
            assertThat(pause(endpoint, "resume", false)).containsEntry("wasPaused", true);
            Eventually.await(() -> outbox(endpoint).get("undelivered").equals(0L));
            assertThat(outbox(endpoint)).containsEntry("undelivered", 0L);
        });
    }

    @Test
    void showsLanesHealthInfoAndMeters() {
        application.run(context -> {
            PostriderEndpoint endpoint = context.getBean(PostriderEndpoint.class);
            assertThat((List<?>) endpoint.part("lanes", null, null, null, null, null, null, null)
                            .get("lanes"))
                    .hasSize(16);
            Info.Builder info = new Info.Builder();
            context.getBean("postriderInfoContributor", InfoContributor.class).contribute(info);
            assertThat(info.build().getDetails()).containsKey("postrider");
            assertThat(context).hasBean("postriderHealthIndicator");
            send(context, "good", 3);
            Eventually.await(() -> delivered(context) == 3);
            assertThat(delivered(context)).isEqualTo(3);
        });
    }

    private static double delivered(AssertableApplicationContext context) {
        return context.getBean(MeterRegistry.class).find("postrider.messages.delivered").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    @Test
    void isNotHealthyWhileADestinationCannotBeReached() {
        application.run(context -> {
            send(context, "away", 1);
            assertProblem(context, "destination broker cannot be reached");
        });
    }

    @Test
    void isNotHealthyWhileAMessageIsTooOld() {
        application.withPropertyValues("postrider.max-oldest-age=1ms").run(context -> {
            pause(context.getBean(PostriderEndpoint.class), "pause", false);
            send(context, "good", 1);
            assertProblem(context, "max-oldest-age is 1 ms");
        });
    }

    @Test
    void isNotHealthyWhileAWorkerHangs() {
        runner(Hanging.class)
                .withPropertyValues("postrider.relay.lease=500ms", "postrider.relay.close-timeout=100ms")
                .run(context -> {
                    send(context, "good", 1);
                    assertProblem(context, "a worker of the relay has hung for longer than its lease");
                    context.getBean(Hanging.class).end.countDown();
                });
    }

    @ParameterizedTest
    @CsvSource({
        "management.health.defaults.enabled=false, false",
        "management.health.postrider.enabled=false, false",
        "management.health.defaults.enabled=false management.health.postrider.enabled=true, true"
    })
    void isSwitchedOffAsOtherIndicatorsAre(String settings, boolean isThere) {
        application
                .withPropertyValues("management.endpoint.health.probes.enabled=true")
                .withPropertyValues(settings.split(" "))
                .run(context -> {
                    assertThat(context.containsBean("postriderHealthIndicator")).isEqualTo(isThere);
                    assertThat(members(context, "readiness").contains("postrider"))
                            .isEqualTo(isThere);
                });
    }

    @Test
    void isPartOfReadinessAndNotOfLiveness() {
        application
                .withPropertyValues("management.endpoint.health.probes.enabled=true")
                .run(context -> {
                    assertThat(members(context, "readiness")).containsExactlyInAnyOrder("readinessState", "postrider");
                    assertThat(members(context, "liveness")).containsExactly("livenessState");
                    AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
                    AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
                    assertThat(status(context, "readiness")).isEqualTo("UP");
                    send(context, "away", 1);
                    Eventually.await(() -> status(context, "readiness").equals("DOWN"));
                    assertThat(status(context, "liveness")).isEqualTo("UP");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"include=readinessState", "exclude=postrider"})
    void leavesReadinessToTheApplicationThatSaysWhatItHas(String setting) {
        application
                .withPropertyValues(
                        "management.endpoint.health.probes.enabled=true",
                        "management.endpoint.health.group.readiness." + setting)
                .run(context -> assertThat(members(context, "readiness"))
                        .contains("readinessState")
                        .doesNotContain("postrider"));
    }

    @Test
    void makesNoGroupWhereThereAreNoProbes() {
        application
                .withPropertyValues("management.endpoint.health.probes.enabled=false")
                .run(context -> assertThat(health(context, "readiness")).isNull());
    }

    private static Set<String> members(AssertableApplicationContext context, String group) {
        Map<String, ?> members = ReflectionTestUtils.invokeMethod(health(context, group), "getComponents");
        return members.keySet();
    }

    private static String status(AssertableApplicationContext context, String group) {
        return String.valueOf((Object) ReflectionTestUtils.invokeMethod(health(context, group), "getStatus"));
    }

    /** By reflection: its types are in other packages on each line of Boot. */
    private static Object health(AssertableApplicationContext context, String group) {
        return ReflectionTestUtils.invokeMethod(
                context.getBean("healthEndpoint"), "healthForPath", (Object) new String[] {group});
    }

    private static void assertProblem(AssertableApplicationContext context, String text) {
        OutboxHealth health = new OutboxHealth(
                context.getBean(PostriderProperties.class), () -> List.of(context.getBean(OutboxLifecycle.class)));
        AtomicReference<String> last = new AtomicReference<>("");
        Eventually.await(() -> {
            last.set(health.problems().getOrDefault("outbox", ""));
            return last.get().contains(text);
        });
        assertThat(last.get()).contains(text);
    }

    private static void send(AssertableApplicationContext context, String topic, int count) {
        SpringOutbox outbox = context.getBean(SpringOutbox.class);
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
            for (int i = 0; i < count; i++) {
                outbox.enqueue(
                        outbox.message(topic).key("k" + i).type("t").json("{}").build());
            }
        });
    }

    private static List<Map<String, Object>> dead(PostriderEndpoint endpoint, Integer limit, String after) {
        return letters(endpoint.part("dead", null, null, null, null, null, limit, after));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> letters(Map<String, Object> page) {
        return (List<Map<String, Object>>) page.get("dead");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> outbox(PostriderEndpoint endpoint) {
        return ((Map<String, Map<String, Object>>) endpoint.status().get("outboxes")).get("outbox");
    }

    private static Map<String, Object> change(PostriderEndpoint endpoint, String action, String topic, boolean dryRun) {
        return endpoint.change(action, null, null, topic, null, null, null, null, null, dryRun, SecurityContext.NONE);
    }

    private static Map<String, Object> pause(PostriderEndpoint endpoint, String action, boolean dryRun) {
        return endpoint.change(
                action, null, null, null, null, null, null, null, "broker", dryRun, SecurityContext.NONE);
    }

    /** All messages go to a destination that never returns to the worker. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Hanging {

        private final CountDownLatch end = new CountDownLatch(1);

        @Bean
        Destination broker() {
            return new Destination() {
                @Override
                public String name() {
                    return "hanging";
                }

                @Override
                public CompletionStage<DeliveryResult> send(OutboxMessage message) {
                    try {
                        end.await();
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                    return CompletableFuture.completedFuture(DeliveryResult.DELIVERED);
                }

                @Override
                public Duration deliveryTimeout() {
                    return Duration.ofMillis(100);
                }
            };
        }
    }

    /** A broker that rejects one topic, is away for another, and takes all others. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        final AtomicBoolean accepts = new AtomicBoolean();

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        Destination broker() {
            return Destination.blocking("broker", message -> {
                if (message.topic().equals("bad") && !accepts.get()) {
                    throw new DeliveryFailedException(DeliveryResult.reject("no such thing"));
                }
                if (message.topic().equals("away")) {
                    throw new DeliveryFailedException(DeliveryResult.outage("nobody there"));
                }
            });
        }
    }
}
