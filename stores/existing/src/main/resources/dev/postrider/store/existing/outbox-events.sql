-- Rows are deleted when they are delivered; attempts and retries are kept in the memory of the relay.
CREATE TABLE outbox_events (
    id VARCHAR(255) PRIMARY KEY,
    entity_id VARCHAR(255) NOT NULL,
    message ${text_type} NOT NULL,
    created_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)
);
CREATE INDEX idx_outbox_events_created_at ON outbox_events (created_at);
