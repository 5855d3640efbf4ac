package dev.postrider.codegen;

import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The plugin as protoc calls it: the request on standard input, the response on standard output.
 *
 * <p>A mistake in a .proto file is part of the response, and protoc prints it; this program fails only when it is not called by protoc.
 */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        CodeGeneratorRequest request = CodeGeneratorRequest.parseFrom(System.in);
        try (OutputStream response = new FileOutputStream(FileDescriptor.out)) {
            Generator.generate(request).writeTo(response);
        }
    }
}
