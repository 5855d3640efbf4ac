package dev.postrider.store.postgres;

/** Something read from the database, and when. */
record Observed<T>(Moment moment, T value) {}
