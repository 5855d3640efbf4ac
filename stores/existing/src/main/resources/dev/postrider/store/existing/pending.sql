-- Rows are deleted when they are delivered; attempts, retries and the active relay are not kept in any table.
CREATE TABLE outbox_pending (
    id BINARY(16) PRIMARY KEY COMMENT 'UUIDv7: the order of rows',
    metadata JSON NOT NULL COMMENT 'CloudEvents attributes: Type, Source, ID, Time, DataContentType, Extensions …',
    data LONGBLOB NOT NULL,
    create_time DATETIME(6) NOT NULL
);
