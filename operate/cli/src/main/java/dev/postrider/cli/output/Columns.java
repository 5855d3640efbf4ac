package dev.postrider.cli.output;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A table with a heading and aligned columns. Not thread-safe. */
public final class Columns {

    private final List<List<String>> rows = new ArrayList<>();

    public Columns(String... headings) {
        rows.add(List.of(headings));
    }

    public Columns row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    /** The lines, the heading first; the last column is not padded. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        int[] widths = widths();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(" ");
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                line.append(' ').append(cell);
                line.append(" ".repeat(widths[column] - cell.length() + 1));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private int[] widths() {
        return IntStream.range(0, rows.get(0).size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
    }
}
