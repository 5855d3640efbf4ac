-- Named leases by the database's clock: the active relay, maintenance, and pauses.
CREATE TABLE relay_lock (
    name VARCHAR(255) PRIMARY KEY,
    holder_id BINARY(16) NOT NULL,
    expire_time DATETIME(6) NOT NULL
);
