package dev.postrider.service.operation;

import dev.postrider.message.MessageId;
import dev.postrider.service.Routes;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.RowRef;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The dead letters that an operator means, read page by page.
 *
 * <p>The database knows topics but no destinations: those are told by the routes of the configuration, letter by letter.
 */
public final class Selection {

    /** Letters come with their payloads, which may be large. */
    private static final int PAGE = 100;

    private final DeadLetters letters;
    private final DeadLetterFilter filter;
    private final Predicate<DeadLetter> isMeant;
    private final boolean isExact;
    private final List<MessageId> picked;

    private Selection(DeadLetters letters, DeadLetterFilter filter, Predicate<DeadLetter> isMeant, boolean isExact) {
        this(letters, filter, isMeant, isExact, List.of());
    }

    private Selection(
            DeadLetters letters,
            DeadLetterFilter filter,
            Predicate<DeadLetter> isMeant,
            boolean isExact,
            List<MessageId> picked) {
        this.letters = letters;
        this.filter = filter;
        this.isMeant = isMeant;
        this.isExact = isExact;
        this.picked = picked;
    }

    public static Selection of(DeadLetters letters, DeadLetterFilter filter) {
        return new Selection(letters, filter, letter -> true, true);
    }

    /** Letters that somebody has picked one by one; each is written to the operation log by its id. */
    public static Selection picked(DeadLetters letters, List<MessageId> ids) {
        return new Selection(letters, DeadLetterFilter.all(), letter -> true, true, List.copyOf(ids));
    }

    /** Of those only what goes to this destination. */
    public static Selection of(DeadLetters letters, DeadLetterFilter filter, Routes routes, String destination) {
        return new Selection(
                letters,
                filter,
                letter -> routes.destinationOf(letter.message().topic()).equals(destination),
                false);
    }

    /** Of those only what failed with exactly this error. */
    public Selection withError(String error) {
        return new Selection(
                letters,
                error.isEmpty() ? filter : filter.withError(error),
                isMeant.and(letter -> letter.error().equals(error)),
                false);
    }

    DeadLetters letters() {
        return letters;
    }

    /** What a batch must still match, and what the operation log says of it. */
    DeadLetterFilter filter(List<RowRef> batch) {
        return picked.isEmpty() ? filter : DeadLetterFilter.byId(batch.get(0).id());
    }

    /** How many are worked on at once, at most. */
    int batchSize(int most) {
        return picked.isEmpty() ? most : 1;
    }

    /** How many, counted up to a bound. */
    public long count(long atMost) {
        if (isExact) {
            return letters.count(filter, atMost);
        }
        long count = 0;
        for (Iterator<DeadLetter> all = iterator(); all.hasNext() && count < atMost; all.next()) {
            count++;
        }
        return count;
    }

    /** Which ones, up to a bound. */
    public List<RowRef> refs(int atMost) {
        if (!picked.isEmpty()) {
            return picked.stream()
                    .distinct()
                    .flatMap(id -> letters.refs(DeadLetterFilter.byId(id), atMost).stream())
                    .toList();
        }
        if (isExact) {
            return letters.refs(filter, atMost);
        }
        List<RowRef> refs = new ArrayList<>();
        for (Iterator<DeadLetter> all = iterator(); refs.size() < atMost && all.hasNext(); ) {
            refs.add(all.next().ref());
        }
        return refs;
    }

    /** The letter with headers and payload, also if it cannot be read as a message. */
    public Fields withContent(DeadLetter letter) {
        return LetterJson.withContent(letter, letters);
    }

    /** One after the other, by lane and seq; holds one page in memory. */
    public Iterator<DeadLetter> iterator() {
        return new Pages();
    }

    private final class Pages implements Iterator<DeadLetter> {

        private List<DeadLetter> page = List.of();
        private Optional<DeadLetter> last = Optional.empty();
        private int position;
        private boolean isOver;

        @Override
        public boolean hasNext() {
            while (position == page.size() && !isOver) {
                List<DeadLetter> read = letters.list(filter, last, PAGE);
                isOver = read.size() < PAGE;
                last = read.isEmpty() ? last : Optional.of(read.get(read.size() - 1));
                page = read.stream().filter(isMeant).toList();
                position = 0;
            }
            return position < page.size();
        }

        @Override
        public DeadLetter next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return page.get(position++);
        }
    }
}
