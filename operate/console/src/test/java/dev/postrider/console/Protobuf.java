package dev.postrider.console;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import dev.postrider.message.OutboxMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A protobuf message, and the file that describes it. */
final class Protobuf {

    private Protobuf() {}

    /** As {@code protoc --descriptor_set_out} writes it. */
    static Path descriptorSet(Path directory) throws IOException {
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("shop.proto")
                .setPackage("shop")
                .setSyntax("proto3")
                .addMessageType(DescriptorProto.newBuilder()
                        .setName("Paid")
                        .addField(field("card", 1, FieldDescriptorProto.Type.TYPE_STRING))
                        .addField(field("cents", 2, FieldDescriptorProto.Type.TYPE_INT64)))
                .build();
        return Files.write(
                directory.resolve("shop.desc"),
                FileDescriptorSet.newBuilder().addFile(file).build().toByteArray());
    }

    private static FieldDescriptorProto field(String name, int number, FieldDescriptorProto.Type type) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setType(type)
                .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
                .build();
    }

    /** Field 1 is the text 4111, field 2 the number 300. */
    static OutboxMessage paid(String type) {
        byte[] paid = {0x0a, 4, '4', '1', '1', '1', 0x10, (byte) 0xac, 2};
        return OutboxMessage.builder("orders")
                .key("paid")
                .type(type)
                .payload(paid)
                .build();
    }
}
