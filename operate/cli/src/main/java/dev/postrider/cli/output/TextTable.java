package dev.postrider.cli.output;

import java.util.ArrayList;
import java.util.List;

/** A small table of names and values, aligned. A name may occur several times. */
public final class TextTable {

    private final List<Row> rows = new ArrayList<>();

    private record Row(String name, String value) {}

    public TextTable row(String name, String value) {
        rows.add(new Row(name, value));
        return this;
    }

    public List<String> lines() {
        int width = rows.stream().mapToInt(row -> row.name().length()).max().orElse(0);
        return rows.stream()
                .map(row -> "  " + row.name() + " ".repeat(width - row.name().length()) + "  " + row.value())
                .toList();
    }
}
