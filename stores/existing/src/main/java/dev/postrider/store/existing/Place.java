package dev.postrider.store.existing;

/** Where a row is that was not delivered. In one table with a status all places are that table. */
enum Place {
    PENDING,
    /** It has failed, and comes back when its retry is due. */
    WAITING,
    GIVEN_UP
}
