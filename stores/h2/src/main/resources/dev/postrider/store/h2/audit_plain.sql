CREATE TABLE IF NOT EXISTS ${table:_sent} (
  lane         INTEGER NOT NULL,
  seq          BIGINT NOT NULL,
  id           UUID NOT NULL,
  foreign_id   CHARACTER VARYING(1024),
  topic        CHARACTER VARYING(255) NOT NULL,
  message_key  CHARACTER VARYING(512),
  type         CHARACTER VARYING(255) NOT NULL,
  headers      CHARACTER VARYING(1048576),
  content_type CHARACTER VARYING(255) NOT NULL,
  payload      ${payload_type} NOT NULL,
  created_at   TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  delivered_at TIMESTAMP(6) WITH TIME ZONE NOT NULL
);
COMMENT ON TABLE ${table:_sent} IS 'The audit trail: messages that were delivered.';
-- No primary key: a message delivered twice after a fault may be kept twice. By time, for the cleanup.
CREATE INDEX IF NOT EXISTS ${table:_sent_by_time} ON ${table:_sent} (delivered_at);
