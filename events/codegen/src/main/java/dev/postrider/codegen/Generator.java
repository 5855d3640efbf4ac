package dev.postrider.codegen;

import com.google.protobuf.DescriptorProtos.Edition;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse.Feature;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** From the request of protoc to its response: one Java file for each .proto file that has events. */
final class Generator {

    private Generator() {}

    static CodeGeneratorResponse generate(CodeGeneratorRequest request) {
        CodeGeneratorResponse.Builder response = CodeGeneratorResponse.newBuilder()
                .setSupportedFeatures(Feature.FEATURE_PROTO3_OPTIONAL_VALUE | Feature.FEATURE_SUPPORTS_EDITIONS_VALUE)
                .setMinimumEdition(Edition.EDITION_PROTO2_VALUE)
                .setMaximumEdition(Edition.EDITION_2023_VALUE);
        List<EventFile> files = new ArrayList<>();
        List<String> problems = read(request, files);
        if (!problems.isEmpty()) {
            return response.setError(String.join("\n", problems)).build();
        }
        // Names in files without events count as well: they may be classes of the same Java package.
        files.forEach(each -> request.getProtoFileList().forEach(each::reserve));
        files.forEach(each -> response.addFile(new EventsClass(each, each.className(files)).file()));
        return response.build();
    }

    /** All mistakes at once, so that nobody has to find them one by one. */
    private static List<String> read(CodeGeneratorRequest request, List<EventFile> files) {
        List<String> problems = new ArrayList<>();
        if (!request.getParameter().isEmpty()) {
            problems.add("--postrider_opt=" + request.getParameter()
                    + " is unknown: this plugin has no options; what it needs to know stands in the .proto files");
        }
        DeclaredOptions declared = new DeclaredOptions(request);
        Set<String> types = new HashSet<>();
        for (FileDescriptorProto file : request.getProtoFileList()) {
            if (request.getFileToGenerateList().contains(file.getName())) {
                List<Event> events = new EventReader(file, declared).events(problems);
                events.forEach(event -> requireOwnType(event, types, problems));
                if (!events.isEmpty()) {
                    files.add(new EventFile(file, events));
                }
            }
        }
        return problems;
    }

    private static void requireOwnType(Event event, Set<String> types, List<String> problems) {
        if (!types.add(event.type())) {
            problems.add(event.place() + ": event type '" + event.type()
                    + "' is that of another message too; set another event_type");
        }
    }
}
