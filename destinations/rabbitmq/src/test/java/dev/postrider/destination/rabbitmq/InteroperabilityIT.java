package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.SourceContext;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.GetResponse;
import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.EventContext;
import dev.postrider.bus.EventPublisher;
import dev.postrider.bus.EventPublishers;
import dev.postrider.bus.EventType;
import dev.postrider.bus.Publication;
import dev.postrider.bus.PublishFailedException;
import dev.postrider.bus.PublishOptions;
import dev.postrider.bus.ServiceEvents;
import dev.postrider.bus.Subscriber;
import dev.postrider.bus.UnprocessableEventException;
import dev.postrider.codec.protobuf.ProtobufCodec;
import dev.postrider.codec.protobuf.ProtobufJsonCodec;
import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services on the existing bus and services on this one understand each other, in both directions (A000-07 and A000-08). */
class InteroperabilityIT {

    private static final CodecRegistry CODECS = CodecRegistry.of(new ProtobufCodec(), new ProtobufJsonCodec());
    private static final SourceContext BOOK =
            SourceContext.newBuilder().setFileName("Größe").build();
    private static final MessageId ID = MessageId.of("01890a5d-ac96-774b-bcce-b302099a8057");

    private final String service = "example.books.v" + UUID.randomUUID();
    private final EventType<SourceContext> created = EventType.of(service + ".BookCreated", SourceContext.class);
    private final RabbitmqDestination destination = Node.destination().build();
    private final BlockingQueue<Handled> handled = new LinkedBlockingQueue<>();
    private final Subscriber subscriber = Subscriber.builder(
                    "search",
                    Node.access(RabbitmqReceiver.parkingLot(service))
                            .declareTopology()
                            .bindEvents()
                            .build(),
                    CODECS)
            .build();

    private record Handled(SourceContext data, EventContext context) {}

    /** As the existing bus declares it when a publisher is set up. */
    @BeforeEach
    void declareTheExchange() {
        Node.inChannel(
                channel -> channel.exchangeDeclare(service, BuiltinExchangeType.TOPIC, true, false, false, Map.of()));
    }

    @AfterEach
    void cleanUp() {
        subscriber.close();
        destination.close();
        Node.deleteQueues(service, service + ".wait", service + ".pl");
        Node.inChannel(channel -> {
            channel.exchangeDelete(service);
            return channel.exchangeDelete(service + ".dlx");
        });
    }

    private Handled receive(BasicProperties properties, byte[] body) throws Exception {
        subscriber.register(created, (data, context) -> handled.add(new Handled(data, context)));
        subscriber.start();
        Node.inChannel(channel -> {
            channel.basicPublish(service, "BookCreated", properties, body);
            return service;
        });
        Handled first = handled.poll(30, TimeUnit.SECONDS);
        assertThat(first).isNotNull();
        return first;
    }

    private BasicProperties binary(String contentType) {
        Map<String, Object> headers = new LinkedHashMap<>();
        headers.put("cloudEvents:specversion", "1.0");
        headers.put("cloudEvents:id", "8f0b7c7e-2f4c-4c1e-9a1f-0c6b8f1d2e3a");
        headers.put("cloudEvents:source", "protoevent-go");
        headers.put("cloudEvents:subject", "book-17");
        headers.put("cloudEvents:dataschema", "https://example.com/schema");
        headers.put("cloudEvents:time", "2026-01-28T15:04:05+02:00");
        headers.put("tenant", "blue");
        headers.put("shard", 7);
        return new BasicProperties.Builder()
                .type(created.name())
                .contentType(contentType)
                .headers(headers)
                .deliveryMode(2)
                .build();
    }

    private static void assertMetadata(EventContext context) {
        CloudEventAttributes event = context.attributes();
        assertThat(event.id()).isEqualTo("8f0b7c7e-2f4c-4c1e-9a1f-0c6b8f1d2e3a");
        assertThat(context.message().id()).hasToString(event.id());
        assertThat(event.source()).isEqualTo("protoevent-go");
        assertThat(event.subject()).contains("book-17");
        assertThat(event.dataSchema()).contains("https://example.com/schema");
        assertThat(event.time()).contains("2026-01-28T15:04:05+02:00");
        assertThat(event.extensions()).containsEntry("tenant", "blue").containsEntry("shard", "7");
        assertThat(context.attempt()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/proto", "application/cloudevents+proto"})
    void handlesItsBinaryEventsWithProtobufData(String contentType) throws Exception {
        Handled first = receive(binary(contentType), BOOK.toByteArray());

        assertThat(first.data()).isEqualTo(BOOK);
        assertMetadata(first.context());
    }

    @Test
    void handlesItsBinaryEventsWithJsonData() throws Exception {
        byte[] json = "{\"fileName\":\"Größe\",\"unknownField\":[1]}".getBytes(StandardCharsets.UTF_8);
        Handled first = receive(binary("application/json"), json);

        assertThat(first.data()).isEqualTo(BOOK);
        assertMetadata(first.context());
    }

    @Test
    void handlesItsStructuredEvents() throws Exception {
        String event = """
                {"specversion":"1.0","type":"%s","id":"8f0b7c7e-2f4c-4c1e-9a1f-0c6b8f1d2e3a","source":"protoevent-go",
                 "subject":"book-17","dataschema":"https://example.com/schema","time":"2026-01-28T15:04:05+02:00",
                 "datacontenttype":"application/cloudevents+json","tenant":"blue","shard":7,
                 "data":{"fileName":"Gr\\u00f6\\u00dfe","unknownField":[1]}}
                """.formatted(created.name());
        BasicProperties properties = new BasicProperties.Builder()
                .type(created.name())
                .contentType("application/cloudevents+json")
                .deliveryMode(2)
                .build();

        Handled first = receive(properties, event.getBytes(StandardCharsets.UTF_8));

        assertThat(first.data()).isEqualTo(BOOK);
        assertMetadata(first.context());
    }

    /** Its events have no key; its own subscribers handle one at a time. Generated types keep that by the key of their service. */
    @Test
    void handlesItsEventsOneAtATimeInTheirOrder() throws Exception {
        EventType<SourceContext> sold = EventType.of(service + ".BookSold", SourceContext.class);
        ServiceEvents events =
                ServiceEvents.of(service, List.of(created.withDefaultKey(service), sold.withDefaultKey(service)));
        BlockingQueue<String> begun = new LinkedBlockingQueue<>();
        CountDownLatch first = new CountDownLatch(1);
        for (String event : List.of("BookCreated", "BookSold")) {
            subscriber.register(events.type(event, SourceContext.class), (data, context) -> {
                begun.add(context.attributes().id());
                first.await();
            });
        }
        subscriber.start();
        publish(20);

        assertThat(begun.poll(30, TimeUnit.SECONDS)).isEqualTo("0");
        assertThat(begun.poll(500, TimeUnit.MILLISECONDS))
                .as("beside the first")
                .isNull();
        first.countDown();
        for (int n = 1; n < 20; n++) {
            assertThat(begun.poll(30, TimeUnit.SECONDS)).isEqualTo(String.valueOf(n));
        }
    }

    @Test
    void handlesEventsWithoutAKeyAtOnceIfTheirTypeHasNone() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        subscriber.register(created, (data, context) -> {
            both.await();
            handled.add(new Handled(data, context));
        });
        subscriber.start();
        publish(4);

        assertThat(handled.poll(30, TimeUnit.SECONDS)).isNotNull();
        assertThat(handled.poll(30, TimeUnit.SECONDS)).isNotNull();
    }

    /** Events without a key, those of even numbers of one type and those of odd numbers of another. */
    private void publish(int count) {
        for (int n = 0; n < count; n++) {
            String event = n % 2 == 0 ? "BookCreated" : "BookSold";
            BasicProperties properties = binary("application/proto");
            Map<String, Object> headers = new LinkedHashMap<>(properties.getHeaders());
            headers.put("cloudEvents:id", String.valueOf(n));
            BasicProperties numbered = properties
                    .builder()
                    .type(service + "." + event)
                    .headers(headers)
                    .build();
            Node.inChannel(channel -> {
                channel.basicPublish(service, event, numbered, BOOK.toByteArray());
                return service;
            });
        }
    }

    private GetResponse published(PublishOptions options) {
        Node.inChannel(channel -> {
            channel.queueDeclare(service, true, false, false, Map.of());
            return channel.queueBind(service, service, "BookCreated");
        });
        OutboxMessage sent = EventPublishers.builder(CODECS)
                .build()
                .to(destination)
                .publish(
                        created,
                        BOOK,
                        options.withId(ID)
                                .withSource("/books")
                                .withSubject("book-17")
                                .withTime(OffsetDateTime.parse("2026-01-28T15:04:05+02:00"))
                                .withDataSchema(URI.create("https://example.com/schema"))
                                .withExtension("tenant", "blue")
                                .withKey("book-17"));
        assertThat(sent.topic()).isEqualTo(service);
        return Subscribed.take(service);
    }

    private Map<String, String> expected(String contentType, String data) {
        Map<String, String> event = new TreeMap<>();
        event.put("specversion", "1.0");
        event.put("type", created.name());
        event.put("id", ID.toString());
        event.put("source", "/books");
        event.put("subject", "book-17");
        event.put("time", "2026-01-28T15:04:05+02:00");
        event.put("dataschema", "https://example.com/schema");
        event.put("tenant", "blue");
        event.put("datacontenttype", contentType);
        event.put("data", data);
        return event;
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/proto", "application/cloudevents+proto", "application/json"})
    void publishesBinaryEventsThatItReads(String contentType) {
        GetResponse got = published(PublishOptions.none().withContentType(contentType));

        BasicProperties properties = got.getProps();
        assertThat(got.getEnvelope().getExchange()).isEqualTo(service);
        assertThat(got.getEnvelope().getRoutingKey()).isEqualTo("BookCreated");
        assertThat(properties.getType()).isEqualTo(created.name());
        assertThat(properties.getContentType()).isEqualTo(contentType);
        assertThat(properties.getDeliveryMode()).isEqualTo(2);
        assertThat(properties.getMessageId()).isEqualTo(ID.toString());
        assertThat(properties.getTimestamp()).isNull();
        assertThat(properties.getCorrelationId()).isNull();
        assertThat(properties.getContentEncoding()).isNull();
        Map<String, String> headers = new TreeMap<>();
        properties.getHeaders().forEach((name, value) -> headers.put(name, value.toString()));
        Map<String, String> wanted = new TreeMap<>(Map.of(
                "cloudEvents:specversion", "1.0",
                "cloudEvents:id", ID.toString(),
                "cloudEvents:source", "/books",
                "cloudEvents:type", created.name(),
                "cloudEvents:subject", "book-17",
                "cloudEvents:time", "2026-01-28T15:04:05+02:00",
                "cloudEvents:dataschema", "https://example.com/schema",
                "cloudEvents:tenant", "blue",
                "tenant", "blue",
                "cloudEvents:partitionkey", "book-17"));
        assertThat(headers).isEqualTo(wanted);
        String data = new String(
                contentType.endsWith("proto")
                        ? BOOK.toByteArray()
                        : "{\"fileName\":\"Größe\"}".getBytes(StandardCharsets.UTF_8),
                StandardCharsets.ISO_8859_1);
        Map<String, String> read = ReferenceReader.read(got);
        read.compute("data", (name, value) -> value.replace(": ", ":").replaceAll("[\\n ]", ""));
        assertThat(read).isEqualTo(expected(contentType, data.replaceAll("[\\n ]", "")));
    }

    /** There that is an option, here it is always so (A000-15). */
    @Test
    void tellsAPublisherThatNoQueueTookItsEvent() {
        EventPublisher publisher = EventPublishers.builder(CODECS).build().to(destination);

        assertThatThrownBy(() -> publisher.publish(created, BOOK, PublishOptions.none()))
                .isInstanceOfSatisfying(
                        PublishFailedException.class,
                        failed -> assertThat(failed.isWorthRetrying()).isTrue())
                .hasMessageContaining("No queue is bound to exchange '" + service + "' with routing key 'BookCreated'");
    }

    /** The confirms of a list overlap; the first event that was not taken is named, whatever became of others. */
    @Test
    void namesTheFirstEventOfAListThatNoQueueTook() {
        Node.inChannel(channel -> {
            channel.queueDeclare(service, true, false, false, Map.of());
            return channel.queueBind(service, service, "BookCreated");
        });
        EventType<SourceContext> burnt = EventType.of(service + ".BookBurnt", SourceContext.class);
        List<Publication> list = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            PublishOptions options = PublishOptions.none().withKey("book-" + i % 50);
            list.add(Publication.of(i == 450 ? burnt : created, BOOK, i == 450 ? options.withId(ID) : options));
        }

        assertThatThrownBy(() ->
                        EventPublishers.builder(CODECS).build().to(destination).publishAll(list))
                .isInstanceOfSatisfying(
                        PublishFailedException.class,
                        failed -> assertThat(failed.id()).isEqualTo(ID));
        assertThat(Subscribed.count(service)).isBetween(450L, 499L);
    }

    @Test
    void publishesStructuredEventsThatItReads() {
        GetResponse got = published(PublishOptions.none().withContentType("application/cloudevents+json"));

        assertThat(got.getProps().getType()).isEqualTo(created.name());
        assertThat(got.getProps().getContentType()).isEqualTo("application/cloudevents+json");
        assertThat(got.getProps().getDeliveryMode()).isEqualTo(2);
        Map<String, String> read = ReferenceReader.read(got);
        assertThat(read.remove("partitionkey")).isEqualTo("book-17");
        read.compute("data", (name, value) -> value.replaceAll("[\\n ]", ""));
        assertThat(read).isEqualTo(expected("application/json", "{\"fileName\":\"Größe\"}"));
    }

    /** The publisher sends where the type says, and the queue is bound there. */
    @Test
    void handlesAnEventThatHasATopicOfItsOwn() throws Exception {
        String topic = service + ".sales";
        EventType<SourceContext> sold =
                EventType.of(service + ".BookSold", SourceContext.class).withTopic(topic);
        List<ServiceEvents> services = List.of(ServiceEvents.of(service, List.of(created, sold)));
        RabbitmqDestination declaring =
                Node.destination().declareExchanges(services).build();
        Subscriber sales = Subscriber.builder(
                        "sales",
                        Node.access(RabbitmqReceiver.parkingLot(service))
                                .declareTopology()
                                .bindEvents(services)
                                .declareExchanges()
                                .build(),
                        CODECS)
                .build();
        subscriber.register(sold, (data, context) -> handled.add(new Handled(data, context)));
        sales.registerFallback((message, context) -> handled.add(new Handled(BOOK, context)));
        try {
            Node.inChannel(channel -> channel.exchangeDeclare(topic, BuiltinExchangeType.TOPIC, true));
            subscriber.start();
            EventPublisher publisher = EventPublishers.builder(CODECS).build().to(declaring);
            publisher.publish(sold, BOOK, PublishOptions.none());

            assertThat(handled.poll(30, TimeUnit.SECONDS).context().message().topic())
                    .isEqualTo(topic);
            subscriber.close();

            sales.start();
            publisher.publish(created, BOOK, PublishOptions.none());
            publisher.publish(sold, BOOK, PublishOptions.none());
            assertThat(List.of(
                            handled.poll(30, TimeUnit.SECONDS)
                                    .context()
                                    .message()
                                    .topic(),
                            handled.poll(30, TimeUnit.SECONDS)
                                    .context()
                                    .message()
                                    .topic()))
                    .containsExactlyInAnyOrder(service, topic);
        } finally {
            sales.close();
            declaring.close();
            Node.inChannel(channel -> channel.exchangeDelete(topic));
        }
    }

    /** The old set-up of a publisher, before anything is published. */
    @Test
    void declaresTheExchangesOfGeneratedServicesWithItsFirstConnection() {
        String topic = service + ".sales";
        EventType<SourceContext> sold =
                EventType.of(service + ".BookSold", SourceContext.class).withTopic(topic);
        RabbitmqDestination declaring = Node.destination()
                .declareExchanges(List.of(ServiceEvents.of(service, List.of(created, sold))))
                .build();
        try {
            assertThatThrownBy(() -> EventPublishers.builder(CODECS)
                            .build()
                            .to(declaring)
                            .publish(created, BOOK, PublishOptions.none()))
                    .hasMessageContaining("No queue is bound");

            assertThatCode(() -> Node.inChannel(channel -> channel.exchangeDeclarePassive(topic)))
                    .doesNotThrowAnyException();
        } finally {
            declaring.close();
            Node.inChannel(channel -> channel.exchangeDelete(topic));
        }
    }

    @Test
    void parksATransientEventPersistentlyAndKeepsItsTopicForAReplay() throws Exception {
        AtomicBoolean isBroken = new AtomicBoolean(true);
        subscriber.register(created, (data, context) -> {
            if (isBroken.get()) {
                throw new UnprocessableEventException("on purpose");
            }
            handled.add(new Handled(data, context));
        });
        subscriber.start();
        Node.inChannel(channel -> {
            channel.basicPublish(
                    service,
                    "BookCreated",
                    binary("application/proto").builder().deliveryMode(1).build(),
                    BOOK.toByteArray());
            return service;
        });

        GetResponse parked = Subscribed.take(service + ".pl");
        assertThat(parked.getProps().getDeliveryMode()).isEqualTo(2);
        isBroken.set(false);
        Node.inChannel(channel -> {
            channel.basicPublish("", service, parked.getProps(), parked.getBody());
            return service;
        });

        assertThat(handled.poll(30, TimeUnit.SECONDS).context().message().topic())
                .isEqualTo(service);
    }
}
