-- Rows move between tables; one relay at a time is active, so no row is claimed.
CREATE TABLE outbox_pending (
    id BINARY(16) PRIMARY KEY COMMENT 'UUIDv7: the order of rows',
    metadata JSON NOT NULL COMMENT 'CloudEvents attributes: Type, Source, ID, Time, DataContentType, Extensions …',
    data LONGBLOB NOT NULL,
    create_time DATETIME(6) NOT NULL,
    retry_count INT NOT NULL DEFAULT 0
);
CREATE TABLE outbox_wait (
    id BINARY(16) PRIMARY KEY,
    metadata JSON NOT NULL,
    data LONGBLOB NOT NULL,
    create_time DATETIME(6) NOT NULL,
    retry_count INT NOT NULL,
    retry_time DATETIME(6) NOT NULL,
    INDEX idx_retry_time (retry_time)
);
-- The primary key contains sent_time because a partitioned table needs that.
CREATE TABLE outbox_completed (
    id BINARY(16) NOT NULL,
    metadata JSON NOT NULL,
    data LONGBLOB NOT NULL,
    create_time DATETIME(6) NOT NULL,
    sent_time DATETIME(6) NOT NULL,
    PRIMARY KEY (id, sent_time)
) PARTITION BY HASH (HOUR(sent_time)) PARTITIONS 24;
CREATE TABLE outbox_parking_lot (
    id BINARY(16) PRIMARY KEY,
    metadata JSON NOT NULL,
    data LONGBLOB NOT NULL,
    create_time DATETIME(6) NOT NULL,
    retry_count INT NOT NULL,
    reason TEXT NOT NULL,
    park_time DATETIME(6) NOT NULL
);
${relay_lock}