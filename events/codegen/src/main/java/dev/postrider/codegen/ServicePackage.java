package dev.postrider.codegen;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import java.util.ArrayList;
import java.util.Collection;
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
    private final Set<String> types = new HashSet<>();
    private final Set<String> takenClasses = new HashSet<>(EventsClass.importedNames());

    ServicePackage(FileDescriptorProto first) {
        this.protoPackage = first.getPackage();
        this.javaPackage = JavaNames.packageOf(first);
        this.firstFile = first.getName();
    }

    void add(FileDescriptorProto file, List<Event> found) {
        if (!JavaNames.packageOf(file).equals(javaPackage)) {
            throw new InvalidProtoException(
                    found.get(0).place(),
                    "java_package is '" + JavaNames.packageOf(file) + "', but '" + javaPackage + "' in " + firstFile
                            + " of the same proto package; events of one package need one java_package");
        }
        files.add(file.getName());
        found.forEach(this::add);
    }

    private void add(Event event) {
        if (!types.add(event.type())) {
            throw new InvalidProtoException(
                    event.place(),
                    "event type '" + event.type()
                            + "' is that of another message of the package too; set another event_type");
        }
        events.add(event);
    }

    /** Names that other generated classes of the Java package have. */
    void reserve(FileDescriptorProto file) {
        takenClasses.add(JavaNames.outerClass(file));
        JavaNames.typesOf(file).forEach(takenClasses::add);
    }

    /** Whether the short names of both would be one class. */
    private boolean isConfusableWith(ServicePackage other) {
        return other != this
                && other.javaPackage.equals(javaPackage)
                && other.shortName().equals(shortName());
    }

    private String shortName() {
        return ServiceNames.shortClass(protoPackage);
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

    /**
     * {@code BooksEvents}, or a longer name where something else has that one.
     *
     * @param all the packages that are generated together
     */
    String className(Collection<ServicePackage> all) {
        String name =
                all.stream().anyMatch(this::isConfusableWith) ? ServiceNames.longClass(protoPackage) : shortName();
        while (takenClasses.contains(name)) {
            name = "Postrider" + name;
        }
        return name;
    }
}
