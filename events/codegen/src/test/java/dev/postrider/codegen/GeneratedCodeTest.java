package dev.postrider.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.EventPublisher;
import dev.postrider.bus.EventPublishers;
import dev.postrider.bus.EventType;
import dev.postrider.bus.ServiceEvents;
import dev.postrider.bus.Subscriber;
import dev.postrider.codec.protobuf.ProtobufCodec;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.message.OutboxMessage;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class GeneratedCodeTest {

    private static final Path RESOURCES =
            Path.of("src/test/resources/dev/postrider/codegen").toAbsolutePath();
    private static final String[] FILES = {
        "example/books/v1/books.proto", "example/books/v1/more.proto", "example/films/v1beta1/film_events.proto"
    };

    @TempDir
    private Path directory;

    @Test
    void looksAsTheGoldenFilesDo() throws Exception {
        assertThat(new Protoc(directory).run(RESOURCES.resolve("good"), FILES)).isEmpty();

        assertSameAsGolden("com/example/books/PostriderBooksEvents.java");
        assertSameAsGolden("com/example/books/MoreEvents.java");
        assertSameAsGolden("example/films/v1beta1/PostriderFilmEvents.java");
        assertThat(JavaFiles.under(directory.resolve("ours"))).hasSize(3);
    }

    /** As build tools do that compile file by file. */
    @Test
    void looksTheSameWhenFilesAreCompiledOneByOne() throws Exception {
        for (String file : FILES) {
            assertThat(new Protoc(directory).run(RESOURCES.resolve("good"), file))
                    .isEmpty();
        }

        assertSameAsGolden("com/example/books/PostriderBooksEvents.java");
        assertSameAsGolden("com/example/books/MoreEvents.java");
    }

    private void assertSameAsGolden(String file) throws IOException {
        Path golden = RESOURCES.resolve("golden").resolve(file + ".golden");
        assertThat(directory.resolve("ours").resolve(file)).hasContent(Files.readString(golden));
    }

    @Test
    void compilesAndCarriesEvents() throws Exception {
        String[] withOptions = Stream.concat(
                        Stream.of(FILES),
                        Stream.of("postrider/v1/options.proto", "quarks_tech/protoevent/v1/options.proto"))
                .toArray(String[]::new);
        assertThat(new Protoc(directory).run(RESOURCES.resolve("good"), withOptions))
                .isEmpty();
        JavaFiles.compile(directory);

        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {JavaFiles.classes(directory).toUri().toURL()},
                getClass().getClassLoader())) {
            Class<?> events = loader.loadClass("com.example.books.PostriderBooksEvents");
            assertThat(services(events))
                    .extracting(ServiceEvents::service)
                    .containsExactly("example.books.v1", "example.fires.v2");
            assertThat(services(events).get(0).types())
                    .extracting(EventType::name)
                    .containsExactly("example.books.v1.BookCreated");
            assertThat(services(events).get(0).topicsByType())
                    .isEqualTo(Map.of("example.books.v1.BookCreated", "books"));
            carry(loader, events);
        }
    }

    @SuppressWarnings("unchecked")
    private static List<ServiceEvents> services(Class<?> events) throws ReflectiveOperationException {
        return (List<ServiceEvents>) events.getField("SERVICES").get(null);
    }

    /** By reflection what a service does in plain Java. */
    private void carry(ClassLoader loader, Class<?> events) throws Exception {
        Class<?> message = loader.loadClass("com.example.books.BookCreatedEvent");
        Object builder = message.getMethod("newBuilder").invoke(null);
        builder.getClass().getMethod("setIsbn", String.class).invoke(builder, "978");
        Object book = builder.getClass().getMethod("build").invoke(builder);
        CodecRegistry codecs = CodecRegistry.of(new ProtobufCodec());
        MemoryDestination broker = MemoryDestination.named("broker");
        CompletableFuture<Object> handled = new CompletableFuture<>();
        Class<?> handlerType = loader.loadClass(events.getName() + "$BookCreatedHandler");
        Object handler = Proxy.newProxyInstance(loader, new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
            handled.complete(arguments[0]);
            return null;
        });
        try (Subscriber subscriber =
                Subscriber.builder("search", broker.receiver("search"), codecs).build()) {
            events.getMethod("registerBookCreated", Subscriber.class, handlerType)
                    .invoke(null, subscriber, handler);
            subscriber.start();
            Class<?> publisherType = loader.loadClass(events.getName() + "$Publisher");
            assertThat(publisherType.isInterface()).isTrue();
            Object publisher = events.getMethod("publisher", EventPublisher.class)
                    .invoke(null, EventPublishers.builder(codecs).build().to(broker));

            OutboxMessage sent = (OutboxMessage)
                    publisherType.getMethod("publishBookCreated", message).invoke(publisher, book);

            assertThat(sent.topic()).isEqualTo("books");
            assertThat(sent.key()).contains("978");
            assertThat(sent.type()).isEqualTo("example.books.v1.BookCreated");
            assertThat(handled.get()).isEqualTo(book);
        }
        broker.close();
    }
}
