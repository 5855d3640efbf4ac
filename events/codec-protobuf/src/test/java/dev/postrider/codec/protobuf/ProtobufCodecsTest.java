package dev.postrider.codec.protobuf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.Api;
import com.google.protobuf.DescriptorProtos.UninterpretedOption;
import com.google.protobuf.Duration;
import com.google.protobuf.Field;
import com.google.protobuf.Option;
import com.google.protobuf.SourceContext;
import com.google.protobuf.Type;
import com.google.protobuf.util.JsonFormat;
import dev.postrider.spi.Codec;
import dev.postrider.spi.CodecException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Protobuf brings generated messages of its own, which serve as events here (A000-03 of the reference). */
class ProtobufCodecsTest {

    private static final Type EVENT = Type.newBuilder()
            .setName("Ulysses – Größe")
            .addOneofs("author")
            .setSourceContext(SourceContext.newBuilder().setFileName("books.proto"))
            .addFields(Field.newBuilder().setNumber(17).setKind(Field.Kind.TYPE_INT64))
            .build();

    private final Codec binary = new ProtobufCodec();
    private final Codec json = new ProtobufJsonCodec();

    static Stream<Codec> codecs() {
        return Stream.of(new ProtobufCodec(), new ProtobufJsonCodec());
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void readsWhatItWrote(Codec codec) {
        assertThat(codec.decode(codec.encode(EVENT), Type.class)).isEqualTo(EVENT);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void servesProtobufMessagesOnly(Codec codec) {
        assertThat(codec.supports(Type.class)).isTrue();
        assertThat(codec.supports(String.class)).isFalse();
        assertThatThrownBy(() -> codec.encode("text"))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("java.lang.String is no protobuf message");
        assertThatThrownBy(() -> codec.decode(new byte[0], String.class))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("java.lang.String");
    }

    @Test
    void writesProtobufsOwnBytes() {
        assertThat(binary.encode(EVENT)).isEqualTo(EVENT.toByteArray());
        assertThat(binary.contentType()).isEqualTo("application/proto");
        assertThat(binary.subtypes()).contains("proto");
    }

    @Test
    void writesProtobufsOwnJson() {
        assertThat(new String(json.encode(EVENT), UTF_8))
                .contains("\"sourceContext\":{\"fileName\":\"books.proto\"}")
                .contains("Größe");
        assertThat(json.contentType()).isEqualTo("application/json");
        assertThat(json.subtypes()).containsExactly("json");
    }

    @Test
    void ignoresFieldsItDoesNotKnowInJson() {
        byte[] data = "{\"name\": \"a\", \"colour\": \"blue\", \"deep\": {\"er\": [1]}}".getBytes(UTF_8);

        assertThat(json.decode(data, Api.class).getName()).isEqualTo("a");
    }

    @Test
    void readsTheNamesOfTheProtoFileAsWell() {
        byte[] data = "{\"source_context\": {\"file_name\": \"x\"}}".getBytes(UTF_8);

        assertThat(json.decode(data, Api.class).getSourceContext().getFileName())
                .isEqualTo("x");
    }

    @Test
    void keepsFieldsItDoesNotKnowInBinaryForm() {
        byte[] richer = EVENT.toByteArray();

        SourceContext poorer = binary.decode(richer, SourceContext.class);

        assertThat(binary.encode(poorer)).hasSameSizeAs(richer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "secret", "[]", "{\"name\": {\"a\": \"secret\"}}", "{\"name\": \"secret"})
    void refusesMalformedJsonWithoutQuotingIt(String data) {
        assertThatThrownBy(() -> json.decode(data.getBytes(UTF_8), Type.class))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("com.google.protobuf.Type")
                .hasMessageNotContaining("secret");
    }

    @Test
    void refusesJsonThatIsNoUtf8() {
        byte[] latin1 = {'{', '"', 'n', 'a', 'm', 'e', '"', ':', '"', (byte) 0xFC, '"', '}'};

        assertThatThrownBy(() -> json.decode(latin1, Type.class)).isInstanceOf(CodecException.class);
    }

    @Test
    void refusesMalformedBytes() {
        assertThatThrownBy(() -> binary.decode(new byte[] {(byte) 0xFF}, Type.class))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("com.google.protobuf.Type");
    }

    @Test
    void refusesToReadAMessageThatLacksRequiredFields() {
        Class<UninterpretedOption.NamePart> type = UninterpretedOption.NamePart.class;

        assertThatThrownBy(() -> json.decode("{}".getBytes(UTF_8), type)).isInstanceOf(CodecException.class);
        assertThatThrownBy(() -> binary.decode(new byte[0], type)).isInstanceOf(CodecException.class);
    }

    @Test
    void refusesToWriteAMessageThatLacksRequiredFields() {
        UninterpretedOption.NamePart incomplete =
                UninterpretedOption.NamePart.newBuilder().buildPartial();

        assertThatThrownBy(() -> binary.encode(incomplete))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("lacks required fields");
    }

    @Test
    void writesAnyOfRegisteredTypes() {
        Option event = Option.newBuilder()
                .setName("any")
                .setValue(Any.pack(Duration.newBuilder().setSeconds(1).build()))
                .build();
        Codec knowing = new ProtobufJsonCodec(JsonFormat.TypeRegistry.newBuilder()
                .add(Duration.getDescriptor())
                .build());

        assertThat(knowing.decode(knowing.encode(event), Option.class)).isEqualTo(event);
        assertThatThrownBy(() -> json.encode(event))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("Any field");
    }
}
