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
import org.junit.jupiter.params.provider.ValueSource;

class MessageIdTest {

    private static final String TEXT = "0190a3f2-7c1e-7b3a-9f00-123456789abc";
    private static final String HEX = "0190a3f27c1e7b3a9f00123456789abc";
    private static final MessageId ID = new MessageId(0x0190a3f2_7c1e_7b3aL, 0x9f00_1234_5678_9abcL);

    @Test
    void readsAndPrintsThirtySixCharacters() {
        assertThat(MessageId.of(TEXT)).isEqualTo(ID);
        assertThat(ID).hasToString(TEXT);
    }

    @Test
    void printsThirtyTwoHexDigits() {
        assertThat(ID.toHex()).isEqualTo(HEX);
    }

    @Test
    void readsAndPrintsSixteenBytes() {
        byte[] bytes = ID.toBytes();

        assertThat(bytes).hasSize(16).startsWith(0x01, 0x90, 0xa3, 0xf2).endsWith(0x9a, 0xbc);
        assertThat(MessageId.fromBytes(bytes)).isEqualTo(ID);
    }

    /** Also what is nearly a UUID: consumers compare texts. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "order-42",
                "0190A3F2-7C1E-7B3A-9F00-123456789ABC",
                "0190a3f27c1e7b3a9f00123456789abc",
                "0190a3f2x7c1e-7b3a-9f00-123456789abc",
                "{0190a3f2-7c1e-7b3a-9f00-123456789abc}",
                " ",
                "日本語"
            })
    void keepsOtherTextsAsTheyAre(String text) {
        MessageId id = MessageId.of(text);

        assertThat(id.text()).isEqualTo(text);
        assertThat(id).hasToString(text);
        assertThat(id.foreignText()).contains(text);
        assertThat(id).isEqualTo(MessageId.of(text)).isNotEqualTo(ID);
        assertThat(MessageId.fromBytes(id.toBytes()).withText(text))
                .isEqualTo(id)
                .hasToString(text);
    }

    @Test
    void hasNoForeignTextIfItIsAUuid() {
        assertThat(MessageId.of(TEXT).foreignText()).isEmpty();
        assertThat(MessageId.of(TEXT).text()).isEqualTo(TEXT);
    }

    /** A log has one line for it, whatever it is. */
    @Test
    void printsControlCharactersOnOneLine() {
        MessageId id = MessageId.of("order\n42");

        assertThat(id).hasToString("order\\n42");
        assertThat(id.text()).isEqualTo("order\n42");
    }

    /** Writers in SQL compute the same. */
    @Test
    void findsAForeignIdByTheFirstBytesOfItsHash() {
        assertThat(MessageId.of("event-17").toHex()).isEqualTo("239cb67b21fd72742f39c9fa372492f7");
    }

    @Test
    void isUniqueByItselfOrWithItsSource() {
        assertThat(ID.within("/shop")).isEqualTo(ID);
        MessageId foreign = MessageId.of("17");
        assertThat(foreign.within("/shop")).isEqualTo(foreign.within("/shop")).isNotEqualTo(foreign.within("/other"));
        assertThat(foreign.within("/shop").text()).isEqualTo("17");
    }

    @Property
    void everyValueSurvivesEveryForm(@ForAll long most, @ForAll long least) {
        MessageId id = new MessageId(most, least);

        assertThat(MessageId.of(id.toString())).isEqualTo(id);
        assertThat(MessageId.fromBytes(id.toBytes())).isEqualTo(id);
        assertThat(MessageId.fromUuid(id.toUuid())).isEqualTo(id);
    }

    @Test
    void refusesWhatNoDatabaseCanKeep() {
        assertThatThrownBy(() -> MessageId.of("")).hasMessage("Invalid message: id is empty");
        assertThatThrownBy(() -> MessageId.of("a\0"))
                .hasMessageContaining("id has control character U+0000 at position 1");
        assertThatThrownBy(() -> MessageId.of("\uD83D")).hasMessageContaining("id has half a surrogate pair");
        assertThatThrownBy(() -> MessageId.of("x".repeat(1_025))).hasMessageContaining("the limit is 1024");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 15, 17, 36})
    void refusesOtherNumbersOfBytes(int length) {
        assertThatThrownBy(() -> MessageId.fromBytes(new byte[length]))
                .hasMessage("Invalid message: id is %d bytes, expected 16 bytes", length);
    }

    @Test
    void refusesNullInEveryForm() {
        assertThatThrownBy(() -> MessageId.of(null)).hasMessage("Invalid message: id is null");
        assertThatThrownBy(() -> MessageId.fromBytes(null)).hasMessageStartingWith("Invalid message: id is null");
        assertThatThrownBy(() -> MessageId.fromUuid(null)).hasMessage("Invalid message: id is null");
    }

    @Test
    void ordersAsUnsignedNumbers() {
        List<MessageId> ascending = List.of(
                MessageId.of("00000000-0000-0000-0000-000000000000"),
                MessageId.of("00000000-0000-0000-7fff-ffffffffffff"),
                MessageId.of("00000000-0000-0000-8000-000000000000"),
                MessageId.of("7fffffff-ffff-ffff-0000-000000000000"),
                MessageId.of("80000000-0000-0000-0000-000000000000"),
                MessageId.of("ffffffff-ffff-ffff-ffff-ffffffffffff"));

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
    void acceptsIdsOfAnyUuidVersion() {
        UUID random = UUID.randomUUID();

        assertThat(MessageId.fromUuid(random).toUuid()).isEqualTo(random);
    }
}
