-- The inbox in ${database}.

CREATE TABLE IF NOT EXISTS ${table:} (
  consumer   VARCHAR(255) NOT NULL,
  message_id BINARY(16) NOT NULL
             COMMENT 'The id if it is a UUID, else the first 16 bytes of SHA-256 of source, a space and id: only both together are unique.',
  foreign_id VARCHAR(1024)
             COMMENT 'The id as text where it is no UUID in lower case.',
  handled_at DATETIME(6) NOT NULL,
  -- Decides who is first: a second transaction waits here for the end of the first.
  PRIMARY KEY (consumer, message_id),
  -- For the cleanup.
  KEY ${name:_by_time} (handled_at)
) ${table_options}
  COMMENT = 'Which consumer has handled which message; written in the handler''s own transaction.';

CREATE TABLE IF NOT EXISTS ${table:_meta} (
  name    VARCHAR(64) NOT NULL,
  `value` VARCHAR(255) NOT NULL,
  PRIMARY KEY (name)
) ${table_options}
  COMMENT = 'How this inbox was created: schema version.';
