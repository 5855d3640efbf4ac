package dev.postrider.codec.protobuf;

import com.google.protobuf.MessageLite;
import dev.postrider.spi.CodecException;
import java.lang.reflect.InvocationTargetException;

/** Finds the default instance of a generated message, from which protobuf reads others. Thread-safe. */
final class MessageTypes {

    private final ClassValue<MessageLite> defaults = new ClassValue<>() {
        @Override
        protected MessageLite computeValue(Class<?> type) {
            return find(type);
        }
    };

    MessageLite defaultInstance(Class<?> type) {
        return defaults.get(type);
    }

    private static MessageLite find(Class<?> type) {
        try {
            Object instance = type.getMethod("getDefaultInstance").invoke(null);
            if (instance instanceof MessageLite message) {
                return message;
            }
        } catch (NoSuchMethodException
                | IllegalAccessException
                | InvocationTargetException
                | NullPointerException none) {
            throw new CodecException(type.getName() + " is no generated protobuf message", none);
        }
        throw new CodecException(type.getName() + " is no generated protobuf message");
    }
}
