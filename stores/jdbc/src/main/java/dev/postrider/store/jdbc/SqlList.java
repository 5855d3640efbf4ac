package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Lists inside SQL text, and lists cut into pieces that fit a statement. */
@Internal
public final class SqlList {

    private SqlList() {}

    /** The element, this many times, separated by commas. */
    public static String of(String element, int count) {
        return String.join(", ", Collections.nCopies(count, element));
    }

    /** The list in pieces of at most this size. */
    public static <T> List<List<T>> chunks(List<T> list, int size) {
        List<List<T>> chunks = new ArrayList<>();
        for (int from = 0; from < list.size(); from += size) {
            chunks.add(list.subList(from, Math.min(from + size, list.size())));
        }
        return chunks;
    }

    /** The smallest power of two that is not below the count. */
    static int powerOfTwo(int count) {
        int highest = Integer.highestOneBit(count);
        return highest == count ? count : highest << 1;
    }
}
