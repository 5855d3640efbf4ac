package dev.postrider.codegen;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** The names that protoc's own Java generator gives, and ours beside them. */
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
        return typesOf(file).anyMatch(name::equals) ? name + "OuterClass" : name;
    }

    /** All top-level names that the file declares. */
    static Stream<String> typesOf(FileDescriptorProto file) {
        return Stream.of(
                        file.getMessageTypeList().stream().map(type -> type.getName()),
                        file.getEnumTypeList().stream().map(type -> type.getName()),
                        file.getServiceList().stream().map(type -> type.getName()))
                .flatMap(names -> names);
    }

    static String getter(String field) {
        String name = camelCase(field);
        return "get" + name + (RESERVED_FIELDS.contains(name) ? "_" : "");
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

    /** {@code BookCreated} as {@code BOOK_CREATED}. */
    static String constant(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                .replaceAll("([A-Z])([A-Z][a-z])", "$1_$2")
                .toUpperCase(Locale.ROOT);
    }

    /** {@code example.books.v1} as {@code Books}: the last part that is no version. */
    static String serviceClass(String protoPackage) {
        String[] parts = protoPackage.split("\\.");
        int last = parts.length - 1;
        while (last > 0 && parts[last].matches("v[0-9]+([a-z]+[0-9]*)?")) {
            last--;
        }
        return camelCase(parts[last]);
    }
}
