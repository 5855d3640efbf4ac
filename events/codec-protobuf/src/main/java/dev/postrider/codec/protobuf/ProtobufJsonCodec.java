package dev.postrider.codec.protobuf;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.UninitializedMessageException;
import com.google.protobuf.util.JsonFormat;
import dev.postrider.spi.Codec;
import dev.postrider.spi.CodecException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;

/**
 * Writes and reads protobuf messages in protobuf's own JSON form: lowerCamelCase names, fields of default value left out, unknown fields
 * ignored.
 *
 * <p>Serves {@code application/json} and {@code application/cloudevents+json} for protobuf messages. Thread-safe.
 */
public final class ProtobufJsonCodec implements Codec {

    private final MessageTypes types = new MessageTypes();
    private final JsonFormat.Printer printer;
    private final JsonFormat.Parser parser;

    public ProtobufJsonCodec() {
        this(JsonFormat.TypeRegistry.getEmptyTypeRegistry());
    }

    /** @param anyTypes the types that may stand in fields of type {@code google.protobuf.Any} */
    public ProtobufJsonCodec(JsonFormat.TypeRegistry anyTypes) {
        Objects.requireNonNull(anyTypes, "anyTypes");
        this.printer = JsonFormat.printer().usingTypeRegistry(anyTypes).omittingInsignificantWhitespace();
        this.parser = JsonFormat.parser().usingTypeRegistry(anyTypes).ignoringUnknownFields();
    }

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
        return Message.class.isAssignableFrom(type);
    }

    @Override
    public byte[] encode(Object value) {
        if (!(value instanceof MessageOrBuilder message)) {
            throw new CodecException(value.getClass().getName() + " is no protobuf message");
        }
        try {
            return printer.print(message).getBytes(StandardCharsets.UTF_8);
        } catch (InvalidProtocolBufferException failure) {
            throw new CodecException(
                    "Cannot write " + value.getClass().getName()
                            + " as JSON; the type of an Any field may be missing in"
                            + " the registry that the codec was given",
                    failure);
        }
    }

    @Override
    public <T> T decode(byte[] data, Class<T> type) {
        if (!(types.defaultInstance(type) instanceof Message message)) {
            throw new CodecException(type.getName() + " is a lite message, which has no JSON form");
        }
        Message.Builder builder = message.newBuilderForType();
        try {
            parser.merge(text(data), builder);
            return type.cast(builder.build());
        } catch (InvalidProtocolBufferException | UninitializedMessageException | CharacterCodingException malformed) {
            // Protobuf's own text may quote the data.
            throw new CodecException("The data are no JSON form of " + type.getName());
        }
    }

    /** Strict: a byte that is no UTF-8 would otherwise arrive as a question mark. */
    private static String text(byte[] data) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(data)).toString();
    }
}
