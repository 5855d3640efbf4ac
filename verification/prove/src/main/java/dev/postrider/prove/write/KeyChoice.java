package dev.postrider.prove.write;

import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** Which keys writers write to. Called from several threads. */
public interface KeyChoice {

    /** Every key that may be chosen; each has a row to lock. */
    List<String> all();

    /** The keys of the next transaction, in an order that is the same for all writers, so that they do not deadlock. */
    Collection<String> next(Random random);

    /** One to three of these keys at random. */
    static KeyChoice upToThreeOf(List<String> keys) {
        return upToThreeOf(keys, keys.size());
    }

    /** The same, half of them of the first ones, which are busy. */
    static KeyChoice upToThreeOf(List<String> keys, int busy) {
        return new KeyChoice() {
            @Override
            public List<String> all() {
                return keys;
            }

            @Override
            public Collection<String> next(Random random) {
                Collection<String> chosen = new TreeSet<>();
                for (int i = 0; i <= random.nextInt(3); i++) {
                    chosen.add(keys.get(random.nextInt(random.nextBoolean() ? busy : keys.size())));
                }
                return chosen;
            }
        };
    }
}
