package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.Destination;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/** Spring can write our beans down as code, as it does for a native image. */
class AheadOfTimeIT {

    @ParameterizedTest
    @ValueSource(strings = {"postrider.schema-mode=create", "postrider.outboxes.orders.schema-mode=create"})
    void beansBecomeCode(String property) {
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
        DefaultGenerationContext generation =
                new DefaultGenerationContext(new ClassNameGenerator(ClassName.get(Shop.class)), files);
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            TestPropertyValues.of("spring.datasource.generate-unique-name=true", property)
                    .applyTo(context);
            context.register(Shop.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
        }

        assertThat(files.getGeneratedFiles(Kind.SOURCE).keySet())
                .anyMatch(file -> file.startsWith("dev/postrider/spring/boot/PostriderAutoConfiguration"));
        assertThat(RuntimeHintsPredicates.resource().forResource("dev/postrider/store/h2/V001__create_outbox.sql"))
                .accepts(generation.getRuntimeHints());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        Destination warehouse() {
            return Destination.blocking("warehouse", message -> {});
        }
    }
}
