package dev.postrider.store.existing;

import dev.postrider.internal.Range;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Tells a store what the columns of an existing table mean. Every column but id and payload may be absent.
 *
 * <p>Immutable. Whether the table really has the columns is checked when a store is opened.
 *
 * <pre>{@code
 * TableMapping orders = TableMapping.builder("order_events")
 *         .type(MappedText.column("event_type"))
 *         .column(Role.KEY, "order_id")
 *         .status(StatusValues.of("status", "NEW").withDelivered("DONE").withDead("FAILED"))
 *         .column(Role.ATTEMPTS, "attempts")
 *         .column(Role.NEXT_ATTEMPT, "next_attempt_at")
 *         .build();
 * }</pre>
 */
public final class TableMapping {

    final TablePath table;
    final Map<Role, String> columns;
    private final List<String> givenOrder;
    final MappedText type;
    final Optional<MappedText> topic;
    final Optional<MappedText> contentType;
    final Optional<StatusValues> status;
    private final boolean isToDelete;
    final Optional<TablePath> deliveredTable;
    final Optional<TablePath> deadTable;
    private final Optional<Integer> givenDeadAtAttempts;
    final Duration firstRetryDelay;
    final Duration longestRetryDelay;
    final double retryMultiplier;
    final boolean clearsError;
    final boolean localTimeIsUtc;
    final boolean isLenient;
    final Optional<String> origin;

    private TableMapping(Builder builder) {
        this.table = builder.table;
        this.columns = Map.copyOf(builder.columns);
        this.givenOrder = List.copyOf(builder.order);
        this.type = builder.type;
        this.topic = builder.topic;
        this.contentType = builder.contentType;
        this.status = builder.status;
        this.deliveredTable = builder.deliveredTable;
        this.deadTable = builder.deadTable;
        this.givenDeadAtAttempts = builder.deadAtAttempts;
        this.firstRetryDelay = builder.firstRetryDelay;
        this.longestRetryDelay = builder.longestRetryDelay;
        this.retryMultiplier = builder.retryMultiplier;
        this.clearsError = builder.clearsError;
        this.localTimeIsUtc = builder.localTimeIsUtc;
        this.isLenient = builder.isLenient;
        this.origin = builder.origin;
        this.isToDelete = builder.deletesDelivered;
    }

    /** The columns by which older rows come first. */
    List<String> order() {
        return givenOrder.isEmpty() ? List.of(columns.get(Role.ID)) : givenOrder;
    }

    /** Also where no column could tell that a row was delivered. */
    boolean deletesDelivered() {
        boolean canMark = columns.containsKey(Role.DELIVERED)
                || status.flatMap(StatusValues::delivered).isPresent();
        return isToDelete || !canMark;
    }

    /** The number of failed attempts at which a row counts as given up; empty where a status or a table of its own says that. */
    public Optional<Integer> deadAtAttempts() {
        boolean isSaidOtherwise =
                deadTable.isPresent() || status.flatMap(StatusValues::dead).isPresent();
        return isSaidOtherwise ? Optional.empty() : givenDeadAtAttempts;
    }

    /** Whether the table says how long a failed row waits, by its attempts and the last of them; a relay's back-off is then not used. */
    public boolean reckonsRetries() {
        return columns.containsKey(Role.ATTEMPTS)
                && columns.containsKey(Role.LAST_ATTEMPT)
                && !columns.containsKey(Role.NEXT_ATTEMPT);
    }

    /** The mapping of this table, {@code name} or {@code schema.name}, with columns {@code id}, {@code payload} and {@code type}. */
    public static Builder builder(String table) {
        return new Builder(TablePath.parse(table));
    }

    /** A copy to be changed. */
    public Builder toBuilder() {
        Builder copy = new Builder(table);
        copy.columns.putAll(columns);
        copy.order = givenOrder;
        copy.type = type;
        copy.topic = topic;
        copy.contentType = contentType;
        copy.status = status;
        copy.deletesDelivered = isToDelete;
        copy.deliveredTable = deliveredTable;
        copy.deadTable = deadTable;
        copy.deadAtAttempts = givenDeadAtAttempts;
        copy.firstRetryDelay = firstRetryDelay;
        copy.longestRetryDelay = longestRetryDelay;
        copy.retryMultiplier = retryMultiplier;
        copy.clearsError = clearsError;
        copy.localTimeIsUtc = localTimeIsUtc;
        copy.isLenient = isLenient;
        copy.origin = origin;
        return copy;
    }

    /** All columns that are named, with what they are for: roles first. */
    Map<String, String> named() {
        Map<String, String> named = new LinkedHashMap<>();
        columns.forEach((role, column) -> named.put(role.option(), column));
        type.column().ifPresent(column -> named.put("type", column));
        topic.flatMap(MappedText::column).ifPresent(column -> named.put("topic", column));
        contentType.flatMap(MappedText::column).ifPresent(column -> named.put("content-type", column));
        for (int index = 0; index < order().size(); index++) {
            named.put("order " + (index + 1), order().get(index));
        }
        return named;
    }

    /** Collects a mapping. Not thread-safe. */
    public static final class Builder {

        private TablePath table;
        private final Map<Role, String> columns = new EnumMap<>(Role.class);
        private List<String> order = List.of();
        private MappedText type = MappedText.column("type");
        private Optional<MappedText> topic = Optional.empty();
        private Optional<MappedText> contentType = Optional.empty();
        private Optional<StatusValues> status = Optional.empty();
        private boolean deletesDelivered;
        private Optional<TablePath> deliveredTable = Optional.empty();
        private Optional<TablePath> deadTable = Optional.empty();
        private Optional<Integer> deadAtAttempts = Optional.empty();
        private Duration firstRetryDelay = Duration.ofSeconds(1);
        private Duration longestRetryDelay = Duration.ofMinutes(5);
        private double retryMultiplier = 2;
        private boolean clearsError;
        private boolean localTimeIsUtc = true;
        private boolean isLenient = true;
        private Optional<String> origin = Optional.empty();

        private Builder(TablePath table) {
            this.table = table;
            columns.put(Role.ID, "id");
            columns.put(Role.PAYLOAD, "payload");
        }

        /** Another table with the same columns. */
        public Builder table(String name) {
            this.table = TablePath.parse(name);
            return this;
        }

        /** The column with this meaning. */
        public Builder column(Role role, String name) {
            if (role == Role.STATUS) {
                throw new IllegalArgumentException("A status column needs its values: use status(…)");
            }
            columns.put(role, TablePath.checkedColumn(role.option(), name));
            return this;
        }

        /** The table has no column with this meaning. */
        public Builder without(Role role) {
            if (role == Role.ID || role == Role.PAYLOAD) {
                throw new IllegalArgumentException("A mapping needs a column for " + role.option());
            }
            columns.remove(role);
            if (role == Role.STATUS) {
                status = Optional.empty();
            }
            return this;
        }

        /** The columns by which older rows come first. Default: the id. */
        public Builder order(String... names) {
            for (String name : names) {
                TablePath.checkedColumn("order", name);
            }
            this.order = List.of(names);
            return this;
        }

        /** The type of the messages. Default: the column {@code type}. */
        public Builder type(MappedText value) {
            this.type = Objects.requireNonNull(value, "type");
            return this;
        }

        /** Where the messages go at the broker. Default: the aggregate type if there is a column for it, else the type. */
        public Builder topic(MappedText value) {
            this.topic = Optional.of(value);
            return this;
        }

        /** Default: {@code application/json} for a payload column of JSON or text, else {@code application/octet-stream}. */
        public Builder contentType(MappedText value) {
            this.contentType = Optional.of(value);
            return this;
        }

        /** The column that says how far a row is. Default: none. */
        public Builder status(StatusValues values) {
            this.status = Optional.of(values);
            columns.put(Role.STATUS, values.column());
            return this;
        }

        /** Deletes delivered rows instead of marking them. Default: they are marked where the table has a column for it. */
        public Builder deletesDelivered(boolean value) {
            this.deletesDelivered = value;
            return this;
        }

        /** Moves delivered rows to this table, in the columns that both have. Default: none. */
        public Builder deliveredTable(String name) {
            this.deliveredTable = Optional.of(TablePath.parse(name));
            return this;
        }

        /** Moves rows that are given up to this table, in the columns that both have. Default: none. */
        public Builder deadTable(String name) {
            this.deadTable = Optional.of(TablePath.parse(name));
            return this;
        }

        /**
         * A row with this many failed attempts counts as given up, and a relay tries no more often. Without effect where a status or a
         * dead table tells what was given up. Default: none. Range: 1 to 1,000,000.
         */
        public Builder deadAtAttempts(int attempts) {
            this.deadAtAttempts = Optional.of(Range.of("deadAtAttempts", attempts, 1, 1_000_000));
            return this;
        }

        /**
         * How long a failed row waits, for tables that know the time of the last attempt but not of the next: multiplied with every
         * attempt by {@link #retryMultiplier}, by the database. Default: 1 second to 5 minutes.
         */
        public Builder retryDelay(Duration first, Duration longest) {
            this.firstRetryDelay = Range.of("retryDelay", first, Duration.ofMillis(1), Duration.ofDays(1));
            this.longestRetryDelay = Range.of("retryDelay", longest, first, Duration.ofDays(365));
            return this;
        }

        /** How much longer than before a row waits after each failed attempt, see {@link #retryDelay}. Default: 2. Range: 1 to 100. */
        public Builder retryMultiplier(double value) {
            if (!(value >= 1 && value <= 100)) {
                throw new IllegalArgumentException("retryMultiplier is " + value + ", expected 1 to 100");
            }
            this.retryMultiplier = value;
            return this;
        }

        /** Whether delivery sets the last error to NULL. Default: false. */
        public Builder clearsError(boolean value) {
            this.clearsError = value;
            return this;
        }

        /**
         * Whether columns of date and time without zone hold UTC; if not, they hold the time of the session's zone, and every
         * relay must use the same. Default: true.
         */
        public Builder localTimeIsUtc(boolean value) {
            this.localTimeIsUtc = value;
            return this;
        }

        /**
         * Whether attributes that CloudEvents would have otherwise, such as an extension {@code traceID} or a source with a space, are
         * sent as they were written. If not, such a row is given up. Default: true.
         */
        public Builder lenient(boolean value) {
            this.isLenient = value;
            return this;
        }

        /**
         * What tells rows of this table from those of the same number elsewhere: messages whose rows have only a number get an id made of it
         * and that number. To be set for databases of the same name on several servers. Default: database, schema and table.
         */
        public Builder origin(String value) {
            this.origin = Optional.of(value);
            return this;
        }

        public TableMapping build() {
            boolean isCounted = columns.containsKey(Role.ATTEMPTS);
            if (deadAtAttempts.isPresent() && !isCounted) {
                throw new IllegalArgumentException("deadAtAttempts needs a column for attempts");
            }
            if (columns.containsKey(Role.LAST_ATTEMPT) && !columns.containsKey(Role.NEXT_ATTEMPT) && !isCounted) {
                throw new IllegalArgumentException(
                        "last-attempt needs a column for attempts: the delay depends on how many there were");
            }
            if (status.flatMap(StatusValues::sending).isPresent()
                    && !columns.containsKey(Role.CLAIMED_UNTIL)
                    && !columns.containsKey(Role.NEXT_ATTEMPT)) {
                throw new IllegalArgumentException(
                        "A status for rows being sent needs a column claimed-until or next-attempt: otherwise a crash"
                                + " would leave them in it for ever");
            }
            return new TableMapping(this);
        }
    }
}
