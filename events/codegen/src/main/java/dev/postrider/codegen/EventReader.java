package dev.postrider.codegen;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Finds the events of one .proto file, and refuses what makes none. */
final class EventReader {

    private static final String SUFFIX = "Event";

    private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9_-]+([.][A-Za-z0-9_-]+)+");

    private static final Pattern ATTRIBUTE = Pattern.compile("[a-z0-9]{1,100}");

    private static final Set<FieldDescriptorProto.Type> KEY_TYPES = Set.of(
            FieldDescriptorProto.Type.TYPE_STRING,
            FieldDescriptorProto.Type.TYPE_INT32,
            FieldDescriptorProto.Type.TYPE_INT64,
            FieldDescriptorProto.Type.TYPE_SINT32,
            FieldDescriptorProto.Type.TYPE_SINT64,
            FieldDescriptorProto.Type.TYPE_SFIXED32,
            FieldDescriptorProto.Type.TYPE_SFIXED64);

    private final FileDescriptorProto file;
    private final DeclaredOptions declared;
    private final SourceInfo source;

    EventReader(FileDescriptorProto file, DeclaredOptions declared) {
        this.file = file;
        this.declared = declared;
        this.source = new SourceInfo(file);
    }

    /** The events of the file, without those that are a problem. A message inside of another is no event, whatever it says. */
    List<Event> events(List<String> problems) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < file.getMessageTypeCount(); i++) {
            try {
                read(file.getMessageType(i), SourceInfo.message(i)).ifPresent(events::add);
            } catch (InvalidProtoException invalid) {
                problems.add(invalid.getMessage());
            }
        }
        return events;
    }

    private Optional<Event> read(DescriptorProto message, List<Integer> path) {
        EventOptions options = EventOptions.of(message.getOptions(), declared);
        return options.isEvent() ? Optional.of(event(message, options, path)) : Optional.empty();
    }

    private Event event(DescriptorProto message, EventOptions options, List<Integer> path) {
        String name = baseName(message, path);
        return new Event(
                name,
                source.place(path),
                type(name, options, path),
                JavaNames.classOf(file, message.getName()),
                options.topic(),
                key(message, options, path),
                source.comment(path),
                message.getOptions().getDeprecated());
    }

    private String baseName(DescriptorProto message, List<Integer> path) {
        String name = message.getName();
        if (!name.endsWith(SUFFIX) || name.equals(SUFFIX)) {
            throw invalid(
                    path,
                    "message '" + name + "' is an event, so its name must end in " + SUFFIX
                            + " and have something before it, as in BookCreatedEvent");
        }
        return name.substring(0, name.length() - SUFFIX.length());
    }

    private String type(String name, EventOptions options, List<Integer> path) {
        if (file.getPackage().isEmpty()) {
            throw invalid(path, "the file has no package, of which the event type is made; add one");
        }
        if (JavaNames.packageOf(file).isEmpty()) {
            throw invalid(path, "java_package is empty, so that no other class could import the events; name one");
        }
        String type = options.type().orElseGet(() -> file.getPackage() + "." + name);
        if (!TYPE.matcher(type).matches()) {
            throw invalid(
                    path,
                    "event_type is '" + type + "', expected <service>.<event> as in example.books.v1.BookCreated");
        }
        return type;
    }

    /** Events of the bus whose options mark them go out in the order of that bus unless something is said about keys. */
    private EventKey key(DescriptorProto message, EventOptions options, List<Integer> path) {
        if (options.keyField().isPresent() && options.keyAttribute().isPresent()) {
            throw invalid(path, "key_field and key_attribute both say what the key is; leave one of them out");
        }
        Optional<String> attribute = options.keyAttribute();
        if (attribute.isPresent() && !ATTRIBUTE.matcher(attribute.get()).matches()) {
            throw invalid(
                    path,
                    "key_attribute is '" + attribute.get()
                            + "', expected subject or an extension: lower-case letters and digits");
        }
        Optional<String> getter = options.keyField().map(field -> keyGetter(message, field, path));
        return new EventKey(getter, attribute, options.isOfProtoevent() && getter.isEmpty() && attribute.isEmpty());
    }

    private String keyGetter(DescriptorProto message, String field, List<Integer> path) {
        Optional<FieldDescriptorProto> found = message.getFieldList().stream()
                .filter(each -> each.getName().equals(field))
                .findFirst();
        if (found.isEmpty()) {
            throw invalid(
                    path, "key_field is '" + field + "', but message '" + message.getName() + "' has no such field");
        }
        boolean isList = found.get().getLabel() == FieldDescriptorProto.Label.LABEL_REPEATED;
        if (isList || !KEY_TYPES.contains(found.get().getType())) {
            throw invalid(path, "key_field '" + field + "' must be a string or a signed integer, and not repeated");
        }
        return JavaNames.getter(message, found.get());
    }

    private InvalidProtoException invalid(List<Integer> path, String problem) {
        return new InvalidProtoException(source.place(path), problem);
    }

    /** What a message says of itself by {@code postrider.v1} or {@code quarks_tech.protoevent.v1}; the former wins. */
    private record EventOptions(
            boolean isEvent,
            boolean isOfProtoevent,
            Optional<String> type,
            Optional<String> topic,
            Optional<String> keyField,
            Optional<String> keyAttribute) {

        private static final String OURS = "postrider.v1.";
        private static final String PROTOEVENT = "quarks_tech.protoevent.v1.";

        static EventOptions of(MessageOptions options, DeclaredOptions declared) {
            Optional<Boolean> isOurs = declared.flag(options, OURS + "enabled");
            return new EventOptions(
                    isOurs.or(() -> declared.flag(options, PROTOEVENT + "enabled"))
                            .orElse(false),
                    isOurs.isEmpty(),
                    declared.text(options, OURS + "event_type")
                            .or(() -> declared.text(options, PROTOEVENT + "event_type")),
                    declared.text(options, OURS + "topic"),
                    declared.text(options, OURS + "key_field"),
                    declared.text(options, OURS + "key_attribute"));
        }
    }

    /** Where things stand in a .proto file, and the comments before them. */
    private static final class SourceInfo {

        private final String file;
        private final Map<List<Integer>, Location> byPath = new HashMap<>();

        SourceInfo(FileDescriptorProto file) {
            this.file = file.getName();
            file.getSourceCodeInfo()
                    .getLocationList()
                    .forEach(location -> byPath.put(location.getPathList(), location));
        }

        /** As compilers write it: {@code books.proto:12:1}. */
        String place(List<Integer> path) {
            Location location = byPath.get(path);
            return location == null || location.getSpanCount() < 2
                    ? file
                    : file + ":" + (location.getSpan(0) + 1) + ":" + (location.getSpan(1) + 1);
        }

        Optional<String> comment(List<Integer> path) {
            return Optional.ofNullable(byPath.get(path))
                    .map(Location::getLeadingComments)
                    .filter(text -> !text.isBlank());
        }

        static List<Integer> message(int index) {
            return List.of(FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER, index);
        }
    }

    /** A .proto file uses the options wrongly. The text begins with file, line and column. */
    private static final class InvalidProtoException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        InvalidProtoException(String place, String problem) {
            super(place + ": " + problem);
        }
    }
}
