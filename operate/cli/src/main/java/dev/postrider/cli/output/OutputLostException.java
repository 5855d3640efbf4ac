package dev.postrider.cli.output;

import dev.postrider.message.PostriderException;

/** Standard output takes nothing more: who reads it has ended, or the disk is full. */
public final class OutputLostException extends PostriderException {

    private static final long serialVersionUID = 1L;

    public OutputLostException() {
        super("Cannot write to standard output any more");
    }
}
