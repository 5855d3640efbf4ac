package dev.postrider.codegen;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** All events of one proto package, from any number of files: what one class is generated for. */
final class ServicePackage {

    private final String protoPackage;
    private final String javaPackage;
    private final String firstFile;
    private final List<String> files = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final Set<String> takenClasses = new HashSet<>();

    ServicePackage(FileDescriptorProto first) {
        this.protoPackage = first.getPackage();
        this.javaPackage = JavaNames.packageOf(first);
        this.firstFile = first.getName();
    }

    void add(FileDescriptorProto file, List<Event> found) {
        if (!JavaNames.packageOf(file).equals(javaPackage)) {
            throw new InvalidProtoException(
                    file.getName(),
                    "java_package is '" + JavaNames.packageOf(file) + "', but '" + javaPackage + "' in " + firstFile
                            + " of the same proto package; events of one package need one java_package");
        }
        files.add(file.getName());
        for (Event event : found) {
            if (!names.add(event.name())) {
                throw new InvalidProtoException(file.getName(), "event '" + event.name() + "' is declared twice");
            }
            events.add(event);
        }
    }

    /** Names that other generated classes of the Java package have. */
    void reserve(FileDescriptorProto file) {
        takenClasses.add(JavaNames.outerClass(file));
        JavaNames.typesOf(file).forEach(takenClasses::add);
    }

    String protoPackage() {
        return protoPackage;
    }

    String javaPackage() {
        return javaPackage;
    }

    List<String> files() {
        return files;
    }

    List<Event> events() {
        return events;
    }

    /** {@code BooksEvents}, or a longer name where a message has that one. */
    String className() {
        String name = JavaNames.serviceClass(protoPackage) + "Events";
        while (takenClasses.contains(name)) {
            name = "Postrider" + name;
        }
        return name;
    }
}
