package dev.postrider.prove.run;

import dev.postrider.prove.server.DatabaseLink;

/** A relay of a proof, with its own way to the database. */
record ProvenRelay(ChildProcess process, DatabaseLink link) implements AutoCloseable {

    @Override
    public void close() {
        process.close();
        link.close();
    }
}
