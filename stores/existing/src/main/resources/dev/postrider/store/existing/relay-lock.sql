-- Named leases by the database's clock: the active relay, maintenance, and pauses.
CREATE TABLE relay_lock (
    name VARCHAR(255) PRIMARY KEY,
    holder_id ${holder_type} NOT NULL,
    expire_time ${time_type} NOT NULL${expire_comment}
);
