CREATE TABLE IF NOT EXISTS ${table:_sent} (
  lane         SMALLINT NOT NULL,
  seq          BIGINT NOT NULL,
  id           BINARY(16) NOT NULL,
  foreign_id   VARCHAR(1024),
  topic        VARCHAR(255) NOT NULL,
  message_key  VARCHAR(512),
  type         VARCHAR(255) NOT NULL,
  headers      MEDIUMTEXT,
  content_type VARCHAR(255) NOT NULL,
  payload      ${payload_type} NOT NULL,
  created_at   DATETIME(6) NOT NULL,
  delivered_at DATETIME(6) NOT NULL
               COMMENT 'In UTC.',
  -- By time first: rows are added at the end, and the cleanup takes them from the start.
  PRIMARY KEY (delivered_at, lane, seq, id)
) ${table_options}
  COMMENT = 'The audit trail: messages that were delivered.'${partitions};
