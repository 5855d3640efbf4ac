package dev.postrider.bench.suite;

import dev.postrider.bench.measure.Result;
import java.util.List;

/** Hears how a suite gets on. Called by one thread. */
public interface SuiteListener {

    /**
     * Something begins.
     *
     * @param done the share of all runs that is done
     * @param scenario with the database, such as {@code drain on postgres}
     * @param what for people
     */
    void progress(double done, String scenario, String what);

    /** Something that stays worth knowing, for people. */
    void note(String text);

    /**
     * A scenario has ended.
     *
     * @param checkpoint by which a later suite knows that it need not be repeated
     */
    void finished(String checkpoint, List<Result> results);
}
