package dev.postrider.store.existing;

import dev.postrider.message.PostriderException;
import java.util.List;

/** A table is not as its mapping says; every problem is listed. */
public final class MappingException extends PostriderException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    MappingException(TablePath table, List<String> problems) {
        super("Table %s does not fit its mapping:\n  - %s\nCorrect the mapping, or the table."
                .formatted(table, String.join("\n  - ", problems)));
        this.problems = List.copyOf(problems);
    }

    private MappingException(String missing) {
        super(missing);
        this.problems = List.of(missing);
    }

    /** There is no such table. */
    static MappingException noTable(TablePath table, String advice) {
        return new MappingException(
                "There is no table %s in this database, or it may not be read%s".formatted(table, advice));
    }

    /** One sentence for each. */
    public List<String> problems() {
        return problems;
    }
}
