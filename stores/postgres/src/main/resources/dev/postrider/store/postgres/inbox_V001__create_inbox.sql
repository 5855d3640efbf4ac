-- The inbox in PostgreSQL.

CREATE TABLE ${table:} (
  consumer   text        COLLATE "C" NOT NULL CHECK (char_length(consumer) BETWEEN 1 AND 255),
  message_id uuid        NOT NULL,
  foreign_id text,
  handled_at timestamptz NOT NULL,
  -- Decides who is first: a second transaction waits here for the end of the first.
  PRIMARY KEY (consumer, message_id)
);

-- For the cleanup.
CREATE INDEX ${name:_time_idx} ON ${table:} (handled_at);

COMMENT ON TABLE ${table:} IS 'Which consumer has handled which message; written in the handler''s own transaction.';
COMMENT ON COLUMN ${table:}.message_id IS 'The id if it is a UUID, else the first 16 bytes of SHA-256 of source, a space and id: only both together are unique.';
COMMENT ON COLUMN ${table:}.foreign_id IS 'The id as text where it is no UUID in lower case.';

CREATE TABLE ${table:_meta} (
  name  text PRIMARY KEY,
  value text NOT NULL
);

COMMENT ON TABLE ${table:_meta} IS 'How this inbox was created: schema version.';
