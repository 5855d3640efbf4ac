package dev.postrider.codegen;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.UnknownFieldSet;
import java.util.List;
import java.util.Optional;

/**
 * What a message says of itself by {@code postrider.v1} or {@code quarks_tech.protoevent.v1}; the former wins.
 *
 * <p>Read as unknown fields by number: this program then needs no classes generated from its own .proto files.
 */
record EventOptions(boolean isEvent, Optional<String> type, Optional<String> topic, Optional<String> keyField) {

    private static final int ENABLED = 51081;
    private static final int TOPIC = 51082;
    private static final int EVENT_TYPE = 51083;
    private static final int KEY_FIELD = 51084;
    private static final int PROTOEVENT_ENABLED = 1081;
    private static final int PROTOEVENT_EVENT_TYPE = 1083;

    static EventOptions of(MessageOptions options) {
        UnknownFieldSet fields = options.getUnknownFields();
        return new EventOptions(
                flag(fields, ENABLED).or(() -> flag(fields, PROTOEVENT_ENABLED)).orElse(false),
                text(fields, EVENT_TYPE).or(() -> text(fields, PROTOEVENT_EVENT_TYPE)),
                text(fields, TOPIC),
                text(fields, KEY_FIELD));
    }

    private static Optional<Boolean> flag(UnknownFieldSet fields, int number) {
        return last(fields.getField(number).getVarintList()).map(value -> value != 0);
    }

    private static Optional<String> text(UnknownFieldSet fields, int number) {
        return last(fields.getField(number).getLengthDelimitedList())
                .map(ByteString::toStringUtf8)
                .filter(value -> !value.isEmpty());
    }

    private static <T> Optional<T> last(List<T> values) {
        return values.isEmpty() ? Optional.empty() : Optional.of(values.get(values.size() - 1));
    }
}
