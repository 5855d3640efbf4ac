package dev.postrider.console;

import dev.postrider.service.config.ConfigException;
import dev.postrider.service.console.ConsoleSettings;
import dev.postrider.service.console.Role;
import dev.postrider.service.database.MessageBrowser;
import dev.postrider.service.database.MessageBrowser.Content;
import dev.postrider.service.database.OperatorTables.Control;
import dev.postrider.service.database.Place;
import dev.postrider.service.database.StoredMessage;
import dev.postrider.service.operation.Fields;
import dev.postrider.service.operation.KeyLine;
import dev.postrider.service.operation.KeyLine.Step;
import dev.postrider.service.operation.MessageJson;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Messages as the page gets them: numbers that a browser would round are texts. Immutable. */
final class MessageViews {

    /** Larger payloads are not shown. */
    private static final int SHOWN_BYTES = 1 << 20;

    private final Masking masking;
    private final Optional<PayloadDecoder> protobuf;

    private MessageViews(Masking masking, Optional<PayloadDecoder> protobuf) {
        this.masking = masking;
        this.protobuf = protobuf;
    }

    static MessageViews of(ConsoleSettings settings) {
        return new MessageViews(
                new Masking(settings.masked()), settings.descriptorSet().map(MessageViews::decoder));
    }

    /** The only place that leads to the classes of protobuf, which need not be there. */
    private static PayloadDecoder decoder(Path descriptorSet) {
        try {
            return ProtobufPayloads.read(descriptorSet);
        } catch (NoClassDefFoundError missing) {
            throw new ConfigException(
                    "descriptor-set needs com.google.protobuf:protobuf-java-util on the class path; add it", missing);
        }
    }

    static Map<String, Object> row(StoredMessage message) {
        return MessageJson.fields(message).map();
    }

    /** With headers and payload, as far as this role may see them. */
    Fields whole(StoredMessage message, MessageBrowser browser, Role role) {
        Content content = browser.content(message, SHOWN_BYTES);
        Fields fields = MessageJson.fields(message)
                .with("headers", masking.headers(content.headers(), role))
                .with("failures", MessageJson.failures(content.failures()));
        if (!role.includes(Role.PAYLOADS)) {
            return fields.with("payload_hidden", "Your role sees no payloads");
        }
        return content.payload()
                .map(payload -> payload(fields, message.type(), payload))
                .orElseGet(() -> fields.with("payload_hidden", "The payload is larger than 1 MB"));
    }

    private Fields payload(Fields fields, String type, byte[] payload) {
        Optional<String> decoded = protobuf.flatMap(known -> known.decode(type, payload));
        Optional<String> text = decoded.or(() -> text(payload));
        fields.with("payload_bytes", payload.length).with("payload_is_protobuf", decoded.isPresent());
        if (masking.hidesNothing()) {
            return fields.with("payload_text", text)
                    .with("payload_base64", Base64.getEncoder().encodeToString(payload));
        }
        return text.flatMap(masking::payload)
                .map(masked -> fields.with("payload_text", masked).with("payload_is_masked", true))
                .orElseGet(
                        () -> fields.with("payload_hidden", "Parts of payloads are masked, and this one is not JSON"));
    }

    private static Optional<String> text(byte[] payload) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload))
                    .toString());
        } catch (CharacterCodingException binary) {
            return Optional.empty();
        }
    }

    static Map<String, Object> line(KeyLine line) {
        List<Map<String, Object>> steps =
                line.steps().stream().map(MessageViews::step).toList();
        return new Fields()
                .with("key", line.key())
                .with("steps", steps)
                .with("buried_at", line.buried().map(Control::setAt))
                .with("is_partial", !line.partial().isEmpty() || line.next().isPresent())
                .with("partial_in", line.partial().stream().map(Place::word).toList())
                .with("next", line.next())
                .with("looked_at", MessageBrowser.LOOKED_AT)
                .with("now", line.now())
                .map();
    }

    private static Map<String, Object> step(Step step) {
        return MessageJson.fields(step.message())
                .with("standing", step.standing().name())
                .with("waits_for", step.waitsFor().map(ahead -> ahead.id().text()))
                .with("waits_for_seq", step.waitsFor().map(ahead -> String.valueOf(ahead.seq())))
                .with("until", step.until())
                .map();
    }
}
