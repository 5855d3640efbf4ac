package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.Destination;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** The console inside applications with Spring MVC and with WebFlux, behind their own security, over real connections. */
class ConsoleTest {

    private static final Map<WebApplicationType, ConfigurableApplicationContext> APPLICATIONS = new TreeMap<>();

    private final HttpClient browser =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    private ConfigurableApplicationContext application;
    private String user = "ann";

    private void start(WebApplicationType type) {
        application =
                APPLICATIONS.computeIfAbsent(type, missing -> run(missing, "--postrider.console.path=/ops/console"));
    }

    private static ConfigurableApplicationContext run(WebApplicationType type, String... more) {
        List<String> settings = new ArrayList<>(List.of(
                "--spring.main.web-application-type=" + type.name().toLowerCase(Locale.ROOT),
                "--server.port=0",
                "--spring.datasource.generate-unique-name=true",
                "--spring.jmx.enabled=false",
                "--postrider.schema-mode=create",
                "--postrider.console.roles.metadata=ROLE_SUPPORT, SCOPE_look",
                "--postrider.console.roles.operate=ROLE_OPS"));
        settings.addAll(List.of(more));
        return new SpringApplicationBuilder(Shop.class).run(settings.toArray(String[]::new));
    }

    @AfterAll
    static void stop() {
        APPLICATIONS.values().forEach(ConfigurableApplicationContext::close);
    }

    private HttpRequest.Builder request(String path) {
        String port = application.getEnvironment().getProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
        return user.isEmpty()
                ? request
                : request.header(
                        "Authorization",
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8)));
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return browser.send(request(path).build(), BodyHandlers.ofString());
    }

    private int pause(Map<String, String> headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request("/ops/console/api/outboxes/outbox/destinations/broker/pause")
                .POST(BodyPublishers.ofString("{}"))
                .header("Sec-Fetch-Site", "same-origin")
                .header("Postrider-Console", "1");
        headers.forEach(request::header);
        return browser.send(request.build(), BodyHandlers.ofString()).statusCode();
    }

    /** As the page does it: it reads which header the application's security wants. */
    private Map<String, String> csrf() throws IOException, InterruptedException {
        HttpResponse<String> me = get("/ops/console/api/me");
        return Map.of(
                me.headers().firstValue("Postrider-Csrf-Header").orElseThrow(),
                me.headers().firstValue("Postrider-Csrf-Token").orElseThrow());
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void answersThoseWhomTheApplicationKnowsByTheirAuthorities(WebApplicationType type) throws Exception {
        start(type);
        user = "";
        assertThat(get("/ops/console/").statusCode()).isEqualTo(401);
        assertThat(get("/ops/console/api/me").statusCode()).isEqualTo(401);
        user = "nobody";
        assertThat(get("/ops/console/api/overview").statusCode()).isEqualTo(403);
        assertThat(get("/ops/console/api/overview").body()).contains("nobody, who has no role here");
        user = "eve";
        assertThat(get("/ops/console/api/me").body()).contains("\"operator\":\"eve\"", "\"role\":\"METADATA\"");
        assertThat(pause(csrf())).isEqualTo(403);
        user = "ann";
        assertThat(get("/ops/console/api/me").body()).contains("\"role\":\"OPERATE\"");
        assertThat(get("/ops/console/api/outboxes/outbox").body()).contains("\"name\":\"broker\"");
        assertThat(get("/ops/console/api/outboxes/outbox/problems").body()).contains("\"problems\":[");
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void changesSomethingOnlyThroughTheSecurityOfTheApplicationAndItsOwn(WebApplicationType type) throws Exception {
        start(type);
        assertThat(pause(Map.of())).as("without a CSRF token").isIn(401, 403);
        Map<String, String> csrf = csrf();
        assertThat(browser.send(
                                request("/ops/console/api/outboxes/outbox/destinations/broker/pause")
                                        .POST(BodyPublishers.ofString("{}"))
                                        .header(
                                                csrf.keySet().iterator().next(),
                                                csrf.values().iterator().next())
                                        .header("Sec-Fetch-Site", "cross-site")
                                        .header("Postrider-Console", "1")
                                        .build(),
                                BodyHandlers.ofString())
                        .body())
                .contains("must come from the console's own page");
        JdbcTemplate database = application.getBean(JdbcTemplate.class);
        String count = "select count(*) from \"outbox_operation\" where operator = 'ann' and action = 'pause'";
        assertThat(database.queryForObject(count, Integer.class)).isZero();

        assertThat(pause(csrf)).isEqualTo(200);
        assertThat(database.queryForObject(count, Integer.class)).isOne();
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void servesThePageAndItsStream(WebApplicationType type) throws Exception {
        start(type);
        HttpResponse<String> redirect = get("/ops/console");
        assertThat(redirect.statusCode()).isEqualTo(308);
        assertThat(redirect.headers().firstValue("Location")).contains("console/");
        HttpResponse<String> page = get("/ops/console/");
        assertThat(page.body()).contains("app.js");
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy).startsWith("default-src 'self'"));
        assertThat(get("/ops/console/core.js").statusCode()).isEqualTo(200);
        assertThat(get("/ops/console/nothing").statusCode()).isEqualTo(404);

        HttpResponse<InputStream> stream =
                browser.send(request("/ops/console/api/stream").build(), BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).contains("\"outboxes\":[");
            assertThat(lines.readLine()).contains("\"outboxes\":[");
        }
    }

    @Test
    void isNotThereUnlessAPathIsConfigured() {
        try (ConfigurableApplicationContext plain = run(WebApplicationType.SERVLET)) {
            assertThat(plain.getBeansOfType(ApplicationConsole.class)).isEmpty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        Destination broker() {
            return Destination.blocking("broker", message -> {});
        }

        private static UserDetails user(String name, String... authorities) {
            return User.withUsername(name)
                    .password("{noop}secret")
                    .authorities(authorities)
                    .build();
        }

        private static List<UserDetails> users() {
            return List.of(user("ann", "ROLE_OPS"), user("eve", "SCOPE_look"), user("nobody", "ROLE_USER"));
        }

        @Bean
        @ConditionalOnWebApplication(type = Type.SERVLET)
        UserDetailsService servletUsers() {
            return new InMemoryUserDetailsManager(users());
        }

        @Bean
        @ConditionalOnWebApplication(type = Type.REACTIVE)
        MapReactiveUserDetailsService reactiveUsers() {
            return new MapReactiveUserDetailsService(users());
        }
    }
}
