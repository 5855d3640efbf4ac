-- A row being sent says so, and next_attempt_at says until when: after a crash it is claimed again from then on.
CREATE TABLE outbox (
    id BIGINT AUTO_INCREMENT PRIMARY KEY,
    event_id CHAR(36) NOT NULL UNIQUE,
    aggregate_type VARCHAR(255) NOT NULL,
    aggregate_id VARCHAR(255) NOT NULL,
    event_type VARCHAR(255) NOT NULL,
    payload JSON NOT NULL,
    status ENUM('pending', 'sending', 'sent', 'failed') NOT NULL DEFAULT 'pending',
    attempts INT NOT NULL DEFAULT 0,
    next_attempt_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    created_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_error TEXT NULL,
    INDEX idx_status_next_attempt (status, next_attempt_at),
    INDEX idx_created_at (created_at),
    -- Added: with it a look reads the rows of a status in their order, and not all that were ever sent.
    INDEX idx_status_created (status, created_at)
);
