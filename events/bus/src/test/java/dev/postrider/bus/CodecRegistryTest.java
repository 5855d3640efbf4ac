package dev.postrider.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.spi.Codec;
import dev.postrider.spi.CodecException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CodecRegistryTest {

    private final TextCodec proto = new TextCodec("proto");
    private final TextCodec json = new TextCodec("json");
    private final CodecRegistry codecs = CodecRegistry.of(proto, json, new NumberCodec());

    @Test
    void selectsByContentTypeInAnyCaseAndWithParameters() {
        assertThat(codecs.find("application/JSON; charset=utf-8", String.class)).isSameAs(json);
        assertThat(codecs.find("application/cloudevents+proto", String.class)).isSameAs(proto);
    }

    @Test
    void selectsByClassAmongCodecsOfOneContentType() {
        assertThat(codecs.find("application/json", Integer.class)).isInstanceOf(NumberCodec.class);
    }

    @Test
    void takesTheFirstCodecThatSupportsTheDataWhenNothingWasSaid() {
        assertThat(codecs.defaultContentType(String.class)).isEqualTo("application/proto");
        assertThat(codecs.defaultContentType(Integer.class)).isEqualTo("application/json");
    }

    @Test
    void saysWhatIsWrongWithAContentType() {
        assertThatThrownBy(() -> codecs.find("text/plain", String.class))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("'text/plain'")
                .hasMessageContaining("[json, proto]");
        assertThatThrownBy(() -> codecs.find("application/x-protobuf", String.class))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("No codec for content type 'application/x-protobuf'");
    }

    @Test
    void saysThatAClassIsNotSupported() {
        assertThatThrownBy(() -> codecs.find("application/proto", Integer.class))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("supports java.lang.Integer");
        assertThatThrownBy(() -> codecs.defaultContentType(Object.class)).hasMessageContaining("java.lang.Object");
    }

    private static final class NumberCodec implements Codec {

        @Override
        public String contentType() {
            return "application/json";
        }

        @Override
        public Set<String> subtypes() {
            return Set.of("json");
        }

        @Override
        public boolean supports(Class<?> type) {
            return type == Integer.class;
        }

        @Override
        public byte[] encode(Object value) {
            return new byte[0];
        }

        @Override
        public <T> T decode(byte[] data, Class<T> type) {
            return type.cast(0);
        }
    }
}
