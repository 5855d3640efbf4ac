package dev.postrider.codec.protobuf;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.postrider.spi.Codec;
import dev.postrider.spi.CodecException;
import java.util.Set;

/**
 * Writes and reads protobuf messages in binary form.
 *
 * <p>Serves {@code application/proto} and {@code application/cloudevents+proto}, and reads {@code application/protobuf} and
 * {@code application/x-protobuf} as well. Unknown fields are kept by protobuf. Thread-safe.
 */
public final class ProtobufCodec implements Codec {

    private final MessageTypes types = new MessageTypes();

    @Override
    public String contentType() {
        return "application/proto";
    }

    @Override
    public Set<String> subtypes() {
        return Set.of("proto", "protobuf", "x-protobuf");
    }

    @Override
    public boolean supports(Class<?> type) {
        return MessageLite.class.isAssignableFrom(type);
    }

    @Override
    public byte[] encode(Object value) {
        if (value instanceof MessageLite message && message.isInitialized()) {
            return message.toByteArray();
        }
        throw new CodecException(
                value instanceof MessageLite
                        ? value.getClass().getName() + " lacks required fields"
                        : value.getClass().getName() + " is no protobuf message");
    }

    @Override
    public <T> T decode(byte[] data, Class<T> type) {
        try {
            return type.cast(types.defaultInstance(type).getParserForType().parseFrom(data));
        } catch (InvalidProtocolBufferException malformed) {
            throw new CodecException("The data are no " + type.getName() + " in protobuf's binary form", malformed);
        }
    }
}
