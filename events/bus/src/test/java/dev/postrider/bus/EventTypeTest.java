package dev.postrider.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventTypeTest {

    private static final EventType<String> CREATED = EventType.of("example.books.v1.BookCreated", String.class);

    @Test
    void splitsItsNameAtTheLastDot() {
        assertThat(CREATED.service()).isEqualTo("example.books.v1");
        assertThat(CREATED.event()).isEqualTo("BookCreated");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "BookCreated", ".BookCreated", "example.", "example..BookCreated"})
    void refusesANameWithoutServiceOrEvent(String name) {
        assertThatThrownBy(() -> EventType.of(name, String.class))
                .isInstanceOf(InvalidEventTypeException.class)
                .hasMessageContaining("'" + name + "'");
    }

    @Test
    void isFoundAmongTheEventsOfItsService() {
        ServiceEvents books = ServiceEvents.of("example.books.v1", List.of(CREATED));

        assertThat(books.type("BookCreated", String.class)).isEqualTo(CREATED);
        assertThatThrownBy(() -> books.type("BookBurnt", String.class))
                .isInstanceOf(RegistrationException.class)
                .hasMessageContaining("no event 'BookBurnt'")
                .hasMessageContaining("BookCreated");
        assertThatThrownBy(() -> books.type("BookCreated", Integer.class))
                .isInstanceOf(RegistrationException.class)
                .hasMessageContaining("java.lang.String, not java.lang.Integer");
    }

    @Test
    void belongsToOneServiceOnce() {
        assertThatThrownBy(() -> ServiceEvents.of("example.films.v1", List.of(CREATED)))
                .hasMessageContaining("belongs to example.books.v1");
        assertThatThrownBy(() -> ServiceEvents.of("example.books.v1", List.of(CREATED, CREATED)))
                .hasMessageContaining("twice");
    }

    @Test
    void goesToTheTopicOfItsServiceUnlessItHasOneOfItsOwn() {
        EventType<String> burnt =
                EventType.of("example.books.v1.BookBurnt", String.class).withTopic("fires");
        ServiceEvents books = ServiceEvents.of("example.books.v1", List.of(CREATED, burnt));

        assertThat(CREATED.topic()).isEqualTo("example.books.v1");
        assertThat(books.topicsByType()).isEqualTo(Map.of(CREATED.name(), "example.books.v1", burnt.name(), "fires"));
        assertThat(books.type("BookBurnt", String.class).topic()).isEqualTo("fires");
    }
}
