package dev.postrider.codegen;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The events of one .proto file: what one class is generated for, so that files can be compiled by one call of protoc or by several. */
final class EventFile {

    private final FileDescriptorProto file;
    private final List<Event> events;
    private final Set<String> takenClasses = new HashSet<>(EventsClass.importedNames());

    EventFile(FileDescriptorProto file, List<Event> events) {
        this.file = file;
        this.events = List.copyOf(events);
    }

    /** Names that other generated classes of the Java package have. */
    void reserve(FileDescriptorProto other) {
        if (JavaNames.packageOf(other).equals(javaPackage())) {
            takenClasses.add(JavaNames.outerClass(other));
            JavaNames.typesOf(other).forEach(takenClasses::add);
        }
    }

    /** Whether the short names of both would be one class. */
    private boolean isConfusableWith(EventFile other) {
        return other != this
                && other.javaPackage().equals(javaPackage())
                && ServiceNames.shortClass(other.name()).equals(ServiceNames.shortClass(name()));
    }

    /** With its path, as protoc knows it. */
    String name() {
        return file.getName();
    }

    String protoPackage() {
        return file.getPackage();
    }

    String javaPackage() {
        return JavaNames.packageOf(file);
    }

    List<Event> events() {
        return events;
    }

    /**
     * {@code BooksEvents} for {@code books.proto}, or a longer name where something else has that one.
     *
     * @param all the files that are generated together
     */
    String className(Collection<EventFile> all) {
        String name = all.stream().anyMatch(this::isConfusableWith)
                ? ServiceNames.longClass(name())
                : ServiceNames.shortClass(name());
        while (takenClasses.contains(name)) {
            name = "Postrider" + name;
        }
        return name;
    }
}
