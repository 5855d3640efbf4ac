package dev.postrider.spring.boot;

import dev.postrider.console.Access;
import dev.postrider.console.Console;
import dev.postrider.service.operation.OperatedOutboxes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * The console of a web application, where {@code postrider-console} is on the class path and {@code postrider.console.path} says where. Behind
 * the application's own security; see {@link ApplicationConsole}. For Spring MVC and WebFlux.
 */
@AutoConfiguration(after = PostriderAutoConfiguration.class)
@ConditionalOnClass(Console.class)
@ConditionalOnBean(OutboxLifecycle.class)
@ConditionalOnProperty("postrider.console.path")
public class PostriderConsoleAutoConfiguration {

    @Bean
    ApplicationConsole postriderConsole(
            OutboxParts parts,
            ConfigurableEnvironment environment,
            ObjectProvider<OutboxLifecycle> outboxes,
            ObjectProvider<Access> access) {
        ConsoleProperties properties =
                ConsoleProperties.read(EnvironmentReader.read(environment, PostriderProperties.ROOT)
                        .section(ConsoleProperties.CONSOLE)
                        .orElseThrow());
        OperatedOutboxes operated = new OperatedOutboxes(
                outboxes.orderedStream().map(parts::consoleOutbox).toList());
        Optional<Access> given = Optional.ofNullable(access.getIfUnique())
                .or(() -> properties.settings().tokenFile().map(Access::tokens));
        return new ApplicationConsole(properties, given, Console.of(properties.settings(), operated));
    }

    private static Map<String, Object> paths(ApplicationConsole console, Object handler) {
        Map<String, Object> paths = new LinkedHashMap<>();
        List.of(console.path(), console.path() + "/", console.path() + "/**").forEach(path -> paths.put(path, handler));
        return paths;
    }

    /** For Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = Type.SERVLET)
    @ConditionalOnClass(DispatcherServlet.class)
    static class Mvc {

        @Bean
        MvcConsole postriderMvcConsole(ApplicationConsole console) {
            return new MvcConsole(console);
        }

        /** Before that of static resources, which takes every path. */
        @Bean
        org.springframework.web.servlet.handler.SimpleUrlHandlerMapping postriderConsoleMapping(
                ApplicationConsole console, MvcConsole handler) {
            return new org.springframework.web.servlet.handler.SimpleUrlHandlerMapping(paths(console, handler), 1);
        }
    }

    /** For WebFlux. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = Type.REACTIVE)
    static class Flux {

        @Bean
        FluxConsole postriderFluxConsole(ApplicationConsole console) {
            return new FluxConsole(console);
        }

        @Bean
        org.springframework.web.reactive.handler.SimpleUrlHandlerMapping postriderConsoleMapping(
                ApplicationConsole console, FluxConsole handler) {
            return new org.springframework.web.reactive.handler.SimpleUrlHandlerMapping(paths(console, handler), 1);
        }
    }
}
