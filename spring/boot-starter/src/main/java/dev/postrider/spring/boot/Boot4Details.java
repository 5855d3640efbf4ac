package dev.postrider.spring.boot;

import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;

/** Descriptions of connections in the packages of Spring Boot 4. Loaded only where they are there. */
final class Boot4Details {

    private Boot4Details() {}

    /** The servers for clients of this kind. */
    static Optional<List<String>> kafka(ListableBeanFactory beans, KafkaClient kind) {
        return Optional.ofNullable(
                        beans.getBeanProvider(KafkaConnectionDetails.class).getIfUnique())
                .map(details -> kind == KafkaClient.CONSUMER ? details.getConsumer() : details.getProducer())
                .map(KafkaConnectionDetails.Configuration::getBootstrapServers);
    }

    static Optional<RabbitmqAccess> rabbitmq(ListableBeanFactory beans) {
        return Optional.ofNullable(
                        beans.getBeanProvider(RabbitConnectionDetails.class).getIfUnique())
                .map(details -> RabbitmqAccess.of(
                        details.getAddresses().stream().map(each -> each.host() + ":" + each.port()),
                        details.getUsername(),
                        details.getPassword(),
                        details.getVirtualHost(),
                        details.getSslBundle()));
    }
}
