package dev.postrider.codegen;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where things stand in a .proto file, and the comments before them. */
final class SourceInfo {

    private final String file;
    private final Map<List<Integer>, Location> byPath = new HashMap<>();

    SourceInfo(FileDescriptorProto file) {
        this.file = file.getName();
        file.getSourceCodeInfo().getLocationList().forEach(location -> byPath.put(location.getPathList(), location));
    }

    /** As compilers write it: {@code books.proto:12:1}. */
    String place(List<Integer> path) {
        Location location = byPath.get(path);
        return location == null || location.getSpanCount() < 2
                ? file
                : file + ":" + (location.getSpan(0) + 1) + ":" + (location.getSpan(1) + 1);
    }

    Optional<String> comment(List<Integer> path) {
        return Optional.ofNullable(byPath.get(path))
                .map(Location::getLeadingComments)
                .filter(text -> !text.isBlank());
    }

    static List<Integer> message(int index) {
        return List.of(FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER, index);
    }

    static List<Integer> nested(List<Integer> parent, int index) {
        List<Integer> path = new ArrayList<>(parent);
        path.add(DescriptorProto.NESTED_TYPE_FIELD_NUMBER);
        path.add(index);
        return path;
    }
}
