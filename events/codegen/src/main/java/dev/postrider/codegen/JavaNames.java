package dev.postrider.codegen;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import java.util.Set;
import java.util.stream.Stream;

/** The names that protoc's own Java generator gives. */
final class JavaNames {

    /** Fields whose getters would clash with methods of every message. */
    private static final Set<String> RESERVED_FIELDS = Set.of(
            "Class",
            "AllFields",
            "CachedSize",
            "DefaultInstanceForType",
            "DescriptorForType",
            "InitializationErrorString",
            "ParserForType",
            "SerializedSize",
            "UnknownFields");

    private JavaNames() {}

    static String packageOf(FileDescriptorProto file) {
        return file.getOptions().hasJavaPackage() ? file.getOptions().getJavaPackage() : file.getPackage();
    }

    /** The full name of a top-level message's class. */
    static String classOf(FileDescriptorProto file, String message) {
        String outer = file.getOptions().getJavaMultipleFiles() ? "" : outerClass(file) + ".";
        return packageOf(file) + "." + outer + message;
    }

    static String outerClass(FileDescriptorProto file) {
        if (file.getOptions().hasJavaOuterClassname()) {
            return file.getOptions().getJavaOuterClassname();
        }
        String path = file.getName();
        String base = path.substring(path.lastIndexOf('/') + 1).replaceFirst("\\.proto(devel)?$", "");
        String name = camelCase(base);
        return isDeclaredIn(file, name) ? name + "OuterClass" : name;
    }

    /** Also inside of messages: a nested class may not have the name of one around it. */
    private static boolean isDeclaredIn(FileDescriptorProto file, String name) {
        return typesOf(file).anyMatch(name::equals)
                || file.getMessageTypeList().stream().anyMatch(message -> isDeclaredIn(message, name));
    }

    private static boolean isDeclaredIn(DescriptorProto message, String name) {
        return message.getEnumTypeList().stream()
                        .anyMatch(type -> type.getName().equals(name))
                || message.getNestedTypeList().stream()
                        .anyMatch(nested -> nested.getName().equals(name) || isDeclaredIn(nested, name));
    }

    /** All top-level names that the file declares. */
    static Stream<String> typesOf(FileDescriptorProto file) {
        return Stream.of(
                        file.getMessageTypeList().stream().map(type -> type.getName()),
                        file.getEnumTypeList().stream().map(type -> type.getName()),
                        file.getServiceList().stream().map(type -> type.getName()))
                .flatMap(names -> names);
    }

    static String getter(DescriptorProto message, FieldDescriptorProto field) {
        String name = camelCase(field.getName());
        boolean isAmbiguous =
                message.getFieldList().stream().anyMatch(other -> !other.equals(field) && isConfusable(name, other));
        return "get" + name + (RESERVED_FIELDS.contains(name) ? "_" : "") + (isAmbiguous ? field.getNumber() : "");
    }

    /** Whether protoc tells the two apart by their numbers: they have one name, or one is what a list's method is called. */
    private static boolean isConfusable(String name, FieldDescriptorProto other) {
        String otherName = camelCase(other.getName());
        boolean isList = other.getLabel() == FieldDescriptorProto.Label.LABEL_REPEATED;
        return otherName.equals(name)
                || (isList && (name.equals(otherName + "Count") || name.equals(otherName + "List")));
    }

    /** A letter after anything that is neither letter nor digit, or after a digit, becomes a capital, as protoc has it. */
    static String camelCase(String name) {
        StringBuilder camel = new StringBuilder();
        boolean capital = true;
        for (char c : name.toCharArray()) {
            boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            boolean isDigit = c >= '0' && c <= '9';
            if (isLetter) {
                camel.append(capital ? Character.toUpperCase(c) : c);
            } else if (isDigit) {
                camel.append(c);
            }
            capital = !isLetter;
        }
        return camel.toString();
    }
}
