package dev.postrider.codegen;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The options of messages that the files of a request declare, by full name.
 *
 * <p>Their values are read as unknown fields: this program then needs no classes generated from its own .proto files. The number comes
 * from the declaration, because one that is ours may be somebody else's in files that do not know us.
 */
final class DeclaredOptions {

    private static final String EXTENDED = "." + MessageOptions.getDescriptor().getFullName();

    private final Map<String, Integer> numbers = new HashMap<>();

    DeclaredOptions(CodeGeneratorRequest request) {
        request.getProtoFileList().forEach(this::add);
    }

    private void add(FileDescriptorProto file) {
        for (FieldDescriptorProto option : file.getExtensionList()) {
            if (option.getExtendee().equals(EXTENDED)) {
                numbers.put(file.getPackage() + "." + option.getName(), option.getNumber());
            }
        }
    }

    Optional<Boolean> flag(MessageOptions options, String name) {
        return field(options, name)
                .flatMap(field -> last(field.getVarintList()))
                .map(value -> value != 0);
    }

    /** The text, unless it is empty. */
    Optional<String> text(MessageOptions options, String name) {
        return field(options, name)
                .flatMap(field -> last(field.getLengthDelimitedList()))
                .map(ByteString::toStringUtf8)
                .filter(value -> !value.isEmpty());
    }

    private Optional<UnknownFieldSet.Field> field(MessageOptions options, String name) {
        return Optional.ofNullable(numbers.get(name))
                .map(number -> options.getUnknownFields().getField(number));
    }

    private static <T> Optional<T> last(List<T> values) {
        return values.isEmpty() ? Optional.empty() : Optional.of(values.get(values.size() - 1));
    }
}
