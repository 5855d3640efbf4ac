package dev.postrider.spring.boot;

import dev.postrider.Outbox;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spring.SpringOutbox;
import java.util.function.Supplier;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Registers the beans of each outbox below {@code postrider.outboxes}, with its name as qualifier. */
final class OutboxRegistrar implements ImportBeanDefinitionRegistrar {

    private final ConfigurableEnvironment environment;
    private final BeanFactory beans;

    OutboxRegistrar(Environment environment, BeanFactory beans) {
        this.environment = (ConfigurableEnvironment) environment;
        this.beans = beans;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        PostriderProperties.outboxNames(environment).forEach(name -> new Names(name).register(registry, beans));
    }

    /** The names of the beans of one outbox: {@code ordersOutbox} and {@code ordersSpringOutbox}, for example. */
    private record Names(String outbox) {

        void register(BeanDefinitionRegistry registry, BeanFactory beans) {
            register(registry, RelayPool.class, "RelayPool", () -> parts(beans).pool(outbox));
            register(
                    registry,
                    OutboxStore.class,
                    "OutboxStore",
                    () -> parts(beans).store(outbox, bean(beans, RelayPool.class, "RelayPool")));
            register(
                    registry,
                    Outbox.class,
                    "Outbox",
                    () -> parts(beans).outbox(outbox, bean(beans, OutboxStore.class, "OutboxStore")));
            register(
                    registry,
                    SpringOutbox.class,
                    "SpringOutbox",
                    () -> parts(beans).springOutbox(outbox, bean(beans, Outbox.class, "Outbox")));
            register(
                    registry,
                    OutboxLifecycle.class,
                    "OutboxLifecycle",
                    () -> parts(beans).lifecycle(outbox, bean(beans, OutboxStore.class, "OutboxStore")));
        }

        private static OutboxParts parts(BeanFactory beans) {
            return beans.getBean(OutboxParts.class);
        }

        private <T> T bean(BeanFactory beans, Class<T> type, String suffix) {
            return beans.getBean(outbox + suffix, type);
        }

        private <T> void register(BeanDefinitionRegistry registry, Class<T> type, String suffix, Supplier<T> supplier) {
            if (!registry.containsBeanDefinition(outbox + suffix)) {
                RootBeanDefinition definition = new RootBeanDefinition(type, supplier);
                definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, outbox));
                definition.setDestroyMethodName(RootBeanDefinition.INFER_METHOD);
                registry.registerBeanDefinition(outbox + suffix, definition);
            }
        }
    }
}
