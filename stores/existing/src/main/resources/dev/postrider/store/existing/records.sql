-- One table whose rows say how far they are; no order is kept between relays.
CREATE TABLE outbox (
    id BINARY(16) NOT NULL COMMENT 'UUIDv7: the order of rows, and their time',
    aggregate_type VARCHAR(128) NOT NULL,
    aggregate_id VARCHAR(128) NOT NULL,
    event_type VARCHAR(128) NOT NULL,
    payload ${payload_type} NOT NULL,
    headers JSON NULL,
    status SMALLINT NOT NULL DEFAULT 0 COMMENT '0 pending, 1 processed, -1 dead',
    attempt_count INT NOT NULL DEFAULT 0,
    last_error VARCHAR(1024) NULL,
    created_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    updated_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6) COMMENT 'Also the time of the last attempt',
    processed_at TIMESTAMP(6) NULL,
    created_ts BIGINT ${created_ts},
    PRIMARY KEY (id, created_ts),
    INDEX idx_status_id (status, id)
)${partitions};
