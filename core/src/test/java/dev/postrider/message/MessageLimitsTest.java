package dev.postrider.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageLimitsTest {

    private final MessageLimits limits =
            MessageLimits.defaults().withMaxPayloadBytes(10).withMaxHeaderBytes(8);

    @Test
    void allowAMebibyteOfPayloadByDefault() {
        MessageLimits defaults = MessageLimits.defaults();

        assertThatCode(() -> defaults.check(withPayload(1 << 20))).doesNotThrowAnyException();
        assertThatThrownBy(() -> defaults.check(withPayload((1 << 20) + 1)))
                .hasMessage("Invalid message: payload is 1,048,577 bytes long, the limit is 1 MiB;"
                        + " raise MessageLimits or store it elsewhere");
    }

    @Test
    void refuseAPayloadOverTheLimit() {
        assertThatCode(() -> limits.check(withPayload(10))).doesNotThrowAnyException();
        assertThatThrownBy(() -> limits.check(withPayload(11)))
                .isInstanceOfSatisfying(
                        InvalidMessageException.class,
                        refused -> assertThat(refused.field()).isEqualTo("payload"));
    }

    @Test
    void countTheUtf8BytesOfAllHeaderNamesAndValues() {
        assertThatCode(() -> limits.check(
                        message().header("ab", "cd").header("e", "fgh").build()))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> limits.check(
                        message().header("ab", "cd").header("e", "füh").build()))
                .hasMessage("Invalid message: headers is 9 bytes long, the limit is 8 bytes;"
                        + " raise MessageLimits or store it elsewhere");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, (64 << 20) + 1, Integer.MAX_VALUE})
    void refuseAPayloadLimitOutOfRange(int bytes) {
        assertThatThrownBy(() -> limits.withMaxPayloadBytes(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxPayloadBytes is %d, expected 1 to 67108864", bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, (1 << 20) + 1})
    void refuseAHeaderLimitOutOfRange(int bytes) {
        assertThatThrownBy(() -> limits.withMaxHeaderBytes(bytes))
                .hasMessage("maxHeaderBytes is %d, expected 1 to 1048576", bytes);
    }

    private static OutboxMessage withPayload(int bytes) {
        return message().payload(new byte[bytes]).build();
    }

    private static OutboxMessage.Builder message() {
        return OutboxMessage.builder("orders").type("OrderPlaced");
    }
}
