package dev.postrider.codegen;

import com.google.protobuf.DescriptorProtos.MessageOptions;
import java.util.Optional;

/** What a message says of itself by {@code postrider.v1} or {@code quarks_tech.protoevent.v1}; the former wins. */
record EventOptions(boolean isEvent, Optional<String> type, Optional<String> topic, Optional<String> keyField) {

    private static final String OURS = "postrider.v1.";
    private static final String PROTOEVENT = "quarks_tech.protoevent.v1.";

    static EventOptions of(MessageOptions options, DeclaredOptions declared) {
        return new EventOptions(
                declared.flag(options, OURS + "enabled")
                        .or(() -> declared.flag(options, PROTOEVENT + "enabled"))
                        .orElse(false),
                declared.text(options, OURS + "event_type").or(() -> declared.text(options, PROTOEVENT + "event_type")),
                declared.text(options, OURS + "topic"),
                declared.text(options, OURS + "key_field"));
    }
}
