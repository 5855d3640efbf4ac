package dev.postrider.benchpeers;

import dev.postrider.bench.store.BenchDatabase;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import tools.jackson.databind.json.JsonMapper;

/**
 * Starts peers that need Spring Boot by its auto-configuration, each without that of the others, and leaves logging as it is.
 * Stateless.
 */
final class SpringContexts {

    private SpringContexts() {}

    static AnnotationConfigApplicationContext open(
            Class<?> configuration,
            BenchDatabase database,
            Map<String, Object> properties,
            List<String> excluded,
            Consumer<AnnotationConfigApplicationContext> beans) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        var sources = context.getEnvironment().getPropertySources();
        sources.addFirst(new MapPropertySource("peer", properties));
        sources.addFirst(new MapPropertySource("excluded", Map.of("spring.autoconfigure.exclude", excluded)));
        context.registerBean(
                "dataSource", DataSource.class, database::dataSource, bean -> bean.setDestroyMethodName(""));
        // As an application with Spring's JSON module has it; else Modulith makes a new one for each event.
        context.registerBean("jsonMapper", JsonMapper.class, JsonMapper::shared);
        beans.accept(context);
        context.register(configuration);
        context.refresh();
        return context;
    }
}
