package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spring.SpringOutbox;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The endpoint over HTTP, with JSON, behind the security of the application. */
class ActuatorWebTest {

    private final HttpClient client = HttpClient.newHttpClient();
    private ConfigurableApplicationContext application;

    @BeforeEach
    void start() {
        application = new SpringApplicationBuilder(ActuatorTest.Shop.class, Secured.class)
                .run(
                        "--spring.main.web-application-type=servlet",
                        "--server.port=0",
                        "--spring.datasource.generate-unique-name=true",
                        "--spring.jmx.enabled=false",
                        "--spring.security.user.name=ann",
                        "--spring.security.user.password=secret",
                        "--management.endpoints.web.exposure.include=postrider",
                        "--postrider.schema-mode=create");
    }

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void showsAndChangesWhatAnOperatorAsksFor() throws Exception {
        reject(3);
        Eventually.await(() -> dead("").size() == 3);

        assertThat(get("").toString()).contains("outboxes={outbox={", "undelivered=0", "dead=3");
        assertThat((List<?>) get("/lanes").get("lanes")).hasSize(16);
        assertThat(dead("?topic=bad&reason=REJECTED&limit=2"))
                .hasSize(2)
                .allSatisfy(letter -> assertThat(letter.toString()).contains("topic=bad"));
        assertThat(dead("?topic=good")).isEmpty();

        assertThat(post("discard", "{\"topic\": \"bad\", \"dryRun\": true}")).containsEntry("matching", 3);
        assertThat(send("/discard", "{}").statusCode()).isEqualTo(400);
        assertThat(dead("")).hasSize(3);
        application.getBean(ActuatorTest.Shop.class).accepts.set(true);
        assertThat(post("retry", "{\"key\": \"k0\"}")).containsEntry("requested", 1);
        assertThat(post("discard", "{\"all\": true}").get("discarded")).isIn(2, 3);
        Eventually.await(() -> dead("").isEmpty());
        assertThat(dead("")).isEmpty();

        assertThat(post("pause", "{\"destination\": \"broker\", \"dryRun\": true}"))
                .containsEntry("paused", false);
        assertThat(post("pause", "{\"destination\": \"broker\"}")).containsEntry("paused", true);
        assertThat(get("/destinations").get("paused").toString()).contains("broker");
        assertThat(post("resume", "{\"destination\": \"broker\"}")).containsEntry("wasPaused", true);

        assertThat(application
                        .getBean(JdbcTemplate.class)
                        .queryForList(
                                "select distinct operator || ' ' || action from \"outbox_operation\"", String.class))
                .contains("ann pause", "ann resume")
                .hasSizeGreaterThan(3)
                .allMatch(operation -> operation.startsWith("ann "));
    }

    @Test
    void isClosedToStrangers() throws Exception {
        assertThat(client.send(request("").build(), BodyHandlers.ofString()).statusCode())
                .isEqualTo(401);
    }

    private void reject(int count) {
        SpringOutbox outbox = application.getBean(SpringOutbox.class);
        new TransactionTemplate(application.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
            for (int i = 0; i < count; i++) {
                outbox.enqueue(
                        outbox.message("bad").key("k" + i).type("t").json("{}").build());
            }
        });
    }

    private List<?> dead(String query) {
        try {
            return (List<?>) get("/dead" + query).get("dead");
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private Map<String, Object> get(String path) throws IOException, InterruptedException {
        return json(client.send(authorized(path).build(), BodyHandlers.ofString()));
    }

    private Map<String, Object> post(String action, String body) throws IOException, InterruptedException {
        return json(send("/" + action, body));
    }

    private HttpResponse<String> send(String path, String body) throws IOException, InterruptedException {
        return client.send(
                authorized(path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static Map<String, Object> json(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonParserFactory.getJsonParser().parseMap(response.body());
    }

    private HttpRequest.Builder authorized(String path) {
        String user = Base64.getEncoder().encodeToString("ann:secret".getBytes(StandardCharsets.UTF_8));
        return request(path).header("Authorization", "Basic " + user);
    }

    private HttpRequest.Builder request(String path) {
        String port = application.getEnvironment().getProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/postrider" + path));
    }

    /** As for clients that are no browsers: a password, and no token against forged requests. */
    @Configuration(proxyBeanMethods = false)
    static class Secured {

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.ignoringRequestMatchers("/actuator/**"))
                    .build();
        }
    }
}
