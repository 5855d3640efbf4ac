package dev.postrider.cli.output;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A small table of names and values, aligned. */
public final class TextTable {

    private final Map<String, String> rows = new LinkedHashMap<>();

    public TextTable row(String name, String value) {
        rows.put(name, value);
        return this;
    }

    public List<String> lines() {
        int width = rows.keySet().stream().mapToInt(String::length).max().orElse(0);
        List<String> lines = new ArrayList<>();
        rows.forEach((name, value) -> lines.add("  " + name + " ".repeat(width - name.length()) + "  " + value));
        return lines;
    }
}
