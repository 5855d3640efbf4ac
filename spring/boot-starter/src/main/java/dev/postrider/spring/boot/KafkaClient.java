package dev.postrider.spring.boot;

/** The kinds of Kafka's clients, which an application may give servers and credentials of their own. */
enum KafkaClient {
    /** Of destinations. */
    PRODUCER("producer"),
    /** Of subscribers. */
    CONSUMER("consumer");

    private final String key;

    KafkaClient(String key) {
        this.key = key;
    }

    /** Below {@code spring.kafka}. */
    String key() {
        return key;
    }
}
