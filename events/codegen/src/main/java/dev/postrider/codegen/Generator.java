package dev.postrider.codegen;

import com.google.protobuf.DescriptorProtos.Edition;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse.Feature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** From the request of protoc to its response: one Java file for each proto package that has events. */
final class Generator {

    private Generator() {}

    static CodeGeneratorResponse generate(CodeGeneratorRequest request) {
        CodeGeneratorResponse.Builder response = CodeGeneratorResponse.newBuilder()
                .setSupportedFeatures(Feature.FEATURE_PROTO3_OPTIONAL_VALUE | Feature.FEATURE_SUPPORTS_EDITIONS_VALUE)
                .setMinimumEdition(Edition.EDITION_PROTO2_VALUE)
                .setMaximumEdition(Edition.EDITION_2023_VALUE);
        Map<String, ServicePackage> packages = new LinkedHashMap<>();
        List<String> problems = read(request, packages);
        if (!problems.isEmpty()) {
            return response.setError(String.join("\n", problems)).build();
        }
        request.getProtoFileList().forEach(file -> reserve(file, packages));
        for (ServicePackage each : packages.values()) {
            response.addFile(new EventsClass(each, each.className(packages.values())).file());
        }
        return response.build();
    }

    /** Names in files without events count as well: they may be classes of the same Java package. */
    private static void reserve(FileDescriptorProto file, Map<String, ServicePackage> packages) {
        packages.values().stream()
                .filter(each -> each.javaPackage().equals(JavaNames.packageOf(file)))
                .forEach(each -> each.reserve(file));
    }

    /** All mistakes at once, so that nobody has to find them one by one. */
    private static List<String> read(CodeGeneratorRequest request, Map<String, ServicePackage> packages) {
        List<String> problems = new ArrayList<>();
        DeclaredOptions declared = new DeclaredOptions(request);
        for (FileDescriptorProto file : request.getProtoFileList()) {
            if (request.getFileToGenerateList().contains(file.getName())) {
                add(file, new EventReader(file, declared).events(problems), packages, problems);
            }
        }
        return problems;
    }

    private static void add(
            FileDescriptorProto file, List<Event> events, Map<String, ServicePackage> packages, List<String> problems) {
        if (events.isEmpty()) {
            return;
        }
        try {
            packages.computeIfAbsent(file.getPackage(), name -> new ServicePackage(file))
                    .add(file, events);
        } catch (InvalidProtoException invalid) {
            problems.add(invalid.getMessage());
        }
    }
}
