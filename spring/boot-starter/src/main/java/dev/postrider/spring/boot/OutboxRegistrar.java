package dev.postrider.spring.boot;

import dev.postrider.Outbox;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spring.SpringOutbox;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConstructorArgumentValues;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers the beans of each outbox below {@code postrider.outboxes}, with its name as qualifier. By the names of methods of
 * {@link OutboxParts}: Spring's processing ahead of time cannot write a lambda down.
 */
final class OutboxRegistrar implements ImportBeanDefinitionRegistrar {

    private final ConfigurableEnvironment environment;

    OutboxRegistrar(Environment environment) {
        this.environment = (ConfigurableEnvironment) environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        PostriderProperties.outboxNames(environment).forEach(name -> new Names(name).register(registry));
    }

    /** The names of the beans of one outbox: {@code ordersOutbox} and {@code ordersSpringOutbox}, for example. */
    private record Names(String outbox) {

        private static final String POOL = "RelayPool";
        private static final String STORE = "OutboxStore";
        private static final String OUTBOX = "Outbox";

        void register(BeanDefinitionRegistry registry) {
            register(registry, POOL, made(RelayPool.class, "pool"));
            register(registry, STORE, made(OutboxStore.class, "store", POOL));
            register(registry, OUTBOX, made(Outbox.class, "outbox", STORE));
            register(registry, "SpringOutbox", made(SpringOutbox.class, "springOutbox", OUTBOX));
            register(registry, "OutboxLifecycle", made(OutboxLifecycle.class, "lifecycle", STORE));
        }

        /** By a method of the parts, which takes the name of the outbox, and these of its beans. */
        private RootBeanDefinition made(Class<?> type, String method, String... needs) {
            RootBeanDefinition definition = new RootBeanDefinition();
            definition.setTargetType(type);
            definition.setFactoryBeanName(PostriderAutoConfiguration.PARTS);
            definition.setFactoryMethodName(method);
            ConstructorArgumentValues arguments = definition.getConstructorArgumentValues();
            arguments.addIndexedArgumentValue(0, outbox);
            for (int i = 0; i < needs.length; i++) {
                arguments.addIndexedArgumentValue(i + 1, new RuntimeBeanReference(outbox + needs[i]));
            }
            return definition;
        }

        private void register(BeanDefinitionRegistry registry, String suffix, RootBeanDefinition definition) {
            if (!registry.containsBeanDefinition(outbox + suffix)) {
                definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, outbox));
                definition.setDestroyMethodName(RootBeanDefinition.INFER_METHOD);
                registry.registerBeanDefinition(outbox + suffix, definition);
            }
        }
    }
}
