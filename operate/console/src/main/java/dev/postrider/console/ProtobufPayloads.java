package dev.postrider.console;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import dev.postrider.service.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shows protobuf payloads as JSON, by descriptors from a file. Immutable. */
final class ProtobufPayloads implements PayloadDecoder {

    private final Map<String, Descriptor> types = new HashMap<>();
    private final JsonFormat.Printer printer;

    private ProtobufPayloads(List<FileDescriptor> files) {
        files.forEach(file -> file.getMessageTypes().forEach(this::add));
        this.printer = JsonFormat.printer()
                .usingTypeRegistry(TypeRegistry.newBuilder().add(types.values()).build())
                .preservingProtoFieldNames();
    }

    private void add(Descriptor type) {
        types.put(type.getFullName(), type);
        type.getNestedTypes().forEach(this::add);
    }

    static ProtobufPayloads read(Path file) {
        try {
            Map<String, FileDescriptorProto> described = new HashMap<>();
            FileDescriptorSet.parseFrom(Files.readAllBytes(file))
                    .getFileList()
                    .forEach(one -> described.put(one.getName(), one));
            Map<String, FileDescriptor> built = new HashMap<>();
            for (String name : described.keySet()) {
                build(name, described, built);
            }
            return new ProtobufPayloads(List.copyOf(built.values()));
        } catch (IOException | DescriptorValidationException | IllegalArgumentException wrong) {
            throw new ConfigException(
                    "Cannot read the descriptor set %s: %s. Make it with protoc --descriptor_set_out=FILE --include_imports"
                            .formatted(file, wrong.getMessage()),
                    wrong);
        }
    }

    private static FileDescriptor build(
            String name, Map<String, FileDescriptorProto> described, Map<String, FileDescriptor> built)
            throws DescriptorValidationException {
        FileDescriptor known = built.get(name);
        if (known != null) {
            return known;
        }
        FileDescriptorProto file = Optional.ofNullable(described.get(name))
                .orElseThrow(() -> new IllegalArgumentException("it lacks " + name));
        List<FileDescriptor> imports = new ArrayList<>();
        for (String imported : file.getDependencyList()) {
            imports.add(build(imported, described, built));
        }
        FileDescriptor made = FileDescriptor.buildFrom(file, imports.toArray(FileDescriptor[]::new));
        built.put(name, made);
        return made;
    }

    @Override
    public Optional<String> decode(String type, byte[] payload) {
        Descriptor descriptor = types.get(type);
        if (descriptor == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(printer.print(DynamicMessage.parseFrom(descriptor, payload)));
        } catch (InvalidProtocolBufferException other) {
            return Optional.empty();
        }
    }
}
