package dev.postrider.spring.boot;

import dev.postrider.spi.Destination;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.devtools.restart.Restarter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** An application that DevTools restart once. Then it tells which threads of its first relay are left, and which there are, and ends. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class RestartingShop {

    /** System properties, since the classes are loaded again. */
    private static final String THREADS = "first.threads";

    private static final String LOADER = "first.loader";

    public static void main(String[] arguments) {
        SpringApplication.run(
                RestartingShop.class,
                "--spring.datasource.url=jdbc:h2:mem:restarting",
                "--spring.main.web-application-type=none",
                "--spring.flyway.enabled=false",
                "--spring.liquibase.enabled=false",
                "--postrider.schema-mode=create");
    }

    @Bean
    Destination warehouse() {
        return Destination.blocking("warehouse", message -> {});
    }

    @EventListener(ApplicationReadyEvent.class)
    void ready() {
        String first = System.getProperty(THREADS);
        String loader = String.valueOf(System.identityHashCode(getClass().getClassLoader()));
        if (first == null) {
            System.setProperty(LOADER, loader);
            System.setProperty(THREADS, String.join(",", ids()));
            new Thread(() -> Restarter.getInstance().restart()).start();
            return;
        }
        // The thread that asks the pool for connections ends when it had nothing to do for a while.
        Eventually.await(() -> left(first).isEmpty());
        System.out.println("first " + (first.isEmpty() ? 0 : first.split(",").length)
                + ", left " + left(first).size()
                + ", now " + (ids().isEmpty() ? "none" : "some")
                + ", " + (loader.equals(System.getProperty(LOADER)) ? "same" : "new") + " classes");
        Runtime.getRuntime().halt(0);
    }

    private static Set<String> left(String first) {
        Set<String> left = ids();
        left.retainAll(Arrays.asList(first.split(",")));
        return left;
    }

    private static Set<String> ids() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("postrider-.*") && thread.isAlive())
                .map(thread -> String.valueOf(thread.getId()))
                .collect(Collectors.toSet());
    }
}
