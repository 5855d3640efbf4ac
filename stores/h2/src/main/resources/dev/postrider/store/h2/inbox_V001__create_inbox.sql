-- The inbox in H2.

CREATE TABLE IF NOT EXISTS ${table:} (
  consumer   CHARACTER VARYING(255) NOT NULL,
  message_id UUID NOT NULL,
  foreign_id CHARACTER VARYING(1024),
  handled_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  PRIMARY KEY (consumer, message_id)
);
COMMENT ON TABLE ${table:} IS 'Which consumer has handled which message; written in the handler''s own transaction.';
COMMENT ON COLUMN ${table:}.message_id IS 'The id if it is a UUID, else the first 16 bytes of SHA-256 of source, a space and id: only both together are unique.';
COMMENT ON COLUMN ${table:}.foreign_id IS 'The id as text where it is no UUID in lower case.';

-- For the cleanup.
CREATE INDEX IF NOT EXISTS ${table:_by_time} ON ${table:} (handled_at);

CREATE TABLE IF NOT EXISTS ${table:_meta} (
  name    CHARACTER VARYING(64) PRIMARY KEY,
  "value" CHARACTER VARYING(255) NOT NULL
);
COMMENT ON TABLE ${table:_meta} IS 'How this inbox was created: schema version.';
