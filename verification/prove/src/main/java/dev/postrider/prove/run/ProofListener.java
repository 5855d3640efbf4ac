package dev.postrider.prove.run;

/** Is told how a proof gets on. Called by one thread at a time, a few times in a second at most. */
@FunctionalInterface
public interface ProofListener {

    /**
     * The present state.
     *
     * @param done the share of the proof that is done, 0 to 1
     * @param phase what is being done, such as {@code writing}
     * @param news the last fault, or nothing
     */
    void progress(double done, String phase, long transactions, int faults, String news);
}
