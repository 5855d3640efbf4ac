package dev.postrider.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageIdTest {

    private static final String TEXT = "0190a3f2-7c1e-7b3a-9f00-123456789abc";
    private static final String HEX = "0190a3f27c1e7b3a9f00123456789abc";
    private static final MessageId ID = new MessageId(0x0190a3f2_7c1e_7b3aL, 0x9f00_1234_5678_9abcL);

    @Test
    void readsAndPrintsThirtySixCharacters() {
        assertThat(MessageId.parse(TEXT)).isEqualTo(ID);
        assertThat(ID).hasToString(TEXT);
    }

    @Test
    void readsAndPrintsThirtyTwoHexDigits() {
        assertThat(MessageId.parse(HEX)).isEqualTo(ID);
        assertThat(ID.toHex()).isEqualTo(HEX);
    }

    @Test
    void readsAndPrintsSixteenBytes() {
        byte[] bytes = ID.toBytes();

        assertThat(bytes).hasSize(16).startsWith(0x01, 0x90, 0xa3, 0xf2).endsWith(0x9a, 0xbc);
        assertThat(MessageId.fromBytes(bytes)).isEqualTo(ID);
    }

    @Test
    void readsUpperCase() {
        assertThat(MessageId.parse("0190A3F2-7C1E-7B3A-9F00-123456789ABC")).isEqualTo(ID);
    }

    @Property
    void everyValueSurvivesEveryForm(@ForAll long most, @ForAll long least) {
        MessageId id = new MessageId(most, least);

        assertThat(MessageId.parse(id.toString())).isEqualTo(id);
        assertThat(MessageId.parse(id.toHex())).isEqualTo(id);
        assertThat(MessageId.fromBytes(id.toBytes())).isEqualTo(id);
        assertThat(MessageId.fromUuid(id.toUuid())).isEqualTo(id);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\"                                  | text of 0 characters",
                "0190a3f2                              | text of 8 characters",
                "0190a3f27c1e7b3a9f00123456789abg      | '0190a3f27c1e7b3a9f00123456789abg'",
                "0190a3f2x7c1e-7b3a-9f00-123456789abc  | '0190a3f2x7c1e-7b3a-9f00-123456789abc'",
                "0190a3f2-7c1e-7b3a-9f00-12345678-abc  | '0190a3f2-7c1e-7b3a-9f00-12345678-abc'",
                "{0190a3f2-7c1e-7b3a-9f00-123456789abc}| text of 38 characters",
            })
    void refusesOtherTexts(String text, String described) {
        assertThatThrownBy(() -> MessageId.parse(text))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessage(
                        "Invalid message: id is " + described + ", expected 16 bytes, 32 hex digits or 36 characters");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 15, 17, 36})
    void refusesOtherNumbersOfBytes(int length) {
        assertThatThrownBy(() -> MessageId.fromBytes(new byte[length]))
                .hasMessage(
                        "Invalid message: id is %d bytes, expected 16 bytes, 32 hex digits or 36 characters", length);
    }

    @Test
    void refusesNullInEveryForm() {
        String problem = "Invalid message: id is null, expected 16 bytes, 32 hex digits or 36 characters";

        assertThatThrownBy(() -> MessageId.parse(null)).hasMessage(problem);
        assertThatThrownBy(() -> MessageId.fromBytes(null)).hasMessage(problem);
        assertThatThrownBy(() -> MessageId.fromUuid(null)).hasMessage(problem);
    }

    @Test
    void ordersAsUnsignedNumbers() {
        List<MessageId> ascending = List.of(
                MessageId.parse("00000000-0000-0000-0000-000000000000"),
                MessageId.parse("00000000-0000-0000-7fff-ffffffffffff"),
                MessageId.parse("00000000-0000-0000-8000-000000000000"),
                MessageId.parse("7fffffff-ffff-ffff-0000-000000000000"),
                MessageId.parse("80000000-0000-0000-0000-000000000000"),
                MessageId.parse("ffffffff-ffff-ffff-ffff-ffffffffffff"));

        assertThat(ascending).isSorted();
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void ordersLikeItsText(@ForAll long most, @ForAll long least, @ForAll long otherMost, @ForAll long otherLeast) {
        MessageId id = new MessageId(most, least);
        MessageId other = new MessageId(otherMost, otherLeast);

        assertThat(Integer.signum(id.compareTo(other)))
                .isEqualTo(Integer.signum(id.toHex().compareTo(other.toHex())));
    }

    @Test
    void derivesTheSameIdFromTheSameName() {
        MessageId id = MessageId.fromName("event-17");

        // The first 16 bytes of SHA-256("event-17") with the bits of version 8.
        assertThat(id).hasToString("239cb67b-21fd-8274-af39-c9fa372492f7");
        assertThat(id.toUuid().version()).isEqualTo(8);
        assertThat(id.toUuid().variant()).isEqualTo(2);
        assertThat(MessageId.fromName("event-17")).isEqualTo(id);
        assertThat(MessageId.fromName("event-18")).isNotEqualTo(id);
    }

    @Test
    void acceptsIdsOfAnyUuidVersion() {
        UUID random = UUID.randomUUID();

        assertThat(MessageId.fromUuid(random).toUuid()).isEqualTo(random);
    }
}
