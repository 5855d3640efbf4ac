package dev.postrider.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How to run a scenario.
 *
 * @param messages how many messages a round has
 * @param bytes the length of each payload
 * @param rounds how often the alternatives take turns, after one round that does not count
 * @param fast whether to use the servers that tests share
 */
record Settings(BenchStore store, int messages, int bytes, int rounds, boolean fast) {

    static Settings defaults(BenchStore store) {
        return new Settings(store, 100_000, 1024, 7, false);
    }

    static Settings parse(List<String> words) {
        List<String> left = new ArrayList<>(words);
        boolean fast = left.remove("--fast");
        BenchStore store = BenchStore.valueOf(value(left, "--store", "postgres").toUpperCase(Locale.ROOT));
        Settings defaults = defaults(store);
        Settings settings = new Settings(
                store,
                Integer.parseInt(value(left, "--messages", Integer.toString(defaults.messages))),
                Integer.parseInt(value(left, "--bytes", Integer.toString(defaults.bytes))),
                Integer.parseInt(value(left, "--rounds", Integer.toString(defaults.rounds))),
                fast);
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("Unknown option " + left.get(0));
        }
        return settings;
    }

    private static String value(List<String> words, String option, String otherwise) {
        int at = words.indexOf(option);
        if (at < 0) {
            return otherwise;
        }
        words.remove(at);
        if (at == words.size()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return words.remove(at);
    }
}
