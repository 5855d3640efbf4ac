-- Named leases by the database's clock: the active relay, maintenance, and pauses.
CREATE TABLE relay_lock (
    name VARCHAR(255) PRIMARY KEY,
    holder_id UUID NOT NULL,
    expire_time TIMESTAMPTZ NOT NULL
);
