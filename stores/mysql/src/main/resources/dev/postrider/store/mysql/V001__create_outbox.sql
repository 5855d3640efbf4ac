-- Postrider outbox, schema version 1, for ${database}. Every statement may run again.

-- The primary key is the only index: each further one made inserts and deletes dearer, and no fetch cheaper.
CREATE TABLE IF NOT EXISTS ${table:} (
  seq          BIGINT NOT NULL AUTO_INCREMENT
               COMMENT 'Given by the database on insert, never by the writer; the order inside a lane.',
  lane         SMALLINT GENERATED ALWAYS AS (${lane_expression}) STORED
               COMMENT 'Computed: first 4 bytes of SHA-256(UTF-8 key), unsigned, modulo the lane count; without a key, of the 16 bytes of the id.',
  id           BINARY(16) NOT NULL
               COMMENT 'Identity of the message, the same on every redelivery; by default a UUIDv7.',
  foreign_id   VARCHAR(1024)
               COMMENT 'The id as text where it is no UUID in lower case; the id is then the first 16 bytes of its SHA-256.',
  topic        VARCHAR(255) NOT NULL
               COMMENT 'Where the message goes at the broker.',
  message_key  VARCHAR(512)
               COMMENT 'The entity that the message belongs to; messages of one key keep their order. NULL: no order.',
  type         VARCHAR(255) NOT NULL
               COMMENT 'What happened, such as com.example.OrderPlaced.',
  headers      MEDIUMTEXT
               COMMENT 'A JSON object of strings, or NULL for none.',
  content_type VARCHAR(255) NOT NULL DEFAULT 'application/octet-stream',
  payload      ${payload_type} NOT NULL,
  created_at   DATETIME(6) NOT NULL${created_at_default}
               COMMENT 'In UTC, whatever the time zone of the session.',
  PRIMARY KEY (seq),
  -- Sessions without strict mode would write 0000-00-00 or 2024-02-31. No CHECK may look at seq, since the table makes its numbers.
  CONSTRAINT ${name:_created_at_is_a_date} CHECK (created_at >= '1000-01-01' AND MONTH(created_at) > 0 AND DAYOFMONTH(created_at) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(created_at))),
  CONSTRAINT ${name:_id_of_foreign_id} CHECK (foreign_id IS NULL OR id = UNHEX(LEFT(SHA2(foreign_id, 256), 32))),
  CONSTRAINT ${name:_lane_range} CHECK (lane BETWEEN 0 AND ${lanes} - 1)${payload_check}
) ${table_options}${auto_id_cache}
  COMMENT = 'Messages not yet delivered. A row exists from the commit of its transaction until its delivery; it never changes.';

CREATE TABLE IF NOT EXISTS ${table:_lane} (
  lane          SMALLINT NOT NULL,
  owner         VARCHAR(255)
                COMMENT 'The random id of a relay instance; NULL: free.',
  epoch         BIGINT NOT NULL
                COMMENT 'Grows at every take; whoever presents an older one has lost the lane.',
  lease_until   DATETIME(6)
                COMMENT 'In UTC.',
  scan_position VARCHAR(1024)
                COMMENT 'Up to where the owner has settled everything, on which run of which server.',
  PRIMARY KEY (lane)
) ${table_options}
  COMMENT = 'One row for each lane: which relay owns it, until when, and how far it has read.';
INSERT IGNORE INTO ${table:_lane} (lane, epoch) VALUES ${lane_rows};

CREATE TABLE IF NOT EXISTS ${table:_held} (
  lane            SMALLINT NOT NULL,
  seq             BIGINT NOT NULL,
  id              BINARY(16) NOT NULL,
  foreign_id      VARCHAR(1024),
  topic           VARCHAR(255) NOT NULL,
  message_key     VARCHAR(512),
  type            VARCHAR(255) NOT NULL,
  headers         MEDIUMTEXT,
  content_type    VARCHAR(255) NOT NULL,
  payload         ${payload_type} NOT NULL,
  created_at      DATETIME(6) NOT NULL,
  destination     VARCHAR(200)
                  COMMENT 'Where it leads: order is kept per key and destination. NULL: not known yet.',
  attempts        INT NOT NULL,
  next_attempt_at DATETIME(6)
                  COMMENT 'When it is sent again, in UTC; NULL: waits behind an earlier message of its key for the same destination.',
  blocked         BOOLEAN NOT NULL DEFAULT FALSE
                  COMMENT 'Waits until an operator unblocks it.',
  last_error      VARCHAR(1024),
  failures        TEXT
                  COMMENT 'The latest failed attempts, a line for each: its time in UTC and its error.',
  first_failed_at DATETIME(6),
  PRIMARY KEY (lane, seq, id),
  -- The first held row of a key, and whether a key has any.
  KEY ${name:_held_by_key} (lane, message_key, seq),
  -- The first held row of a line, whether a line has any, and what has no destination yet.
  KEY ${name:_held_by_line} (lane, destination, message_key, seq),
  -- What is due.
  KEY ${name:_held_by_due} (lane, blocked, next_attempt_at),
  -- The same of one topic at a destination, so that a topic which is closed there is passed over, however many rows wait for it.
  KEY ${name:_held_by_place} (lane, destination, topic, next_attempt_at)
) ${table_options}
  COMMENT = 'Messages that are being retried, or wait behind one of their key that is. Only the owner of the lane changes rows.';

CREATE TABLE IF NOT EXISTS ${table:_delayed} (
  id           BINARY(16) NOT NULL,
  foreign_id   VARCHAR(1024),
  lane         SMALLINT GENERATED ALWAYS AS (${lane_expression}) STORED
               COMMENT 'Computed, by the rule of the hot table.',
  due_at       DATETIME(6) NOT NULL
               COMMENT 'Not delivered before, in UTC.',
  topic        VARCHAR(255) NOT NULL,
  message_key  VARCHAR(512),
  type         VARCHAR(255) NOT NULL,
  headers      MEDIUMTEXT,
  content_type VARCHAR(255) NOT NULL DEFAULT 'application/octet-stream',
  payload      ${payload_type} NOT NULL,
  created_at   DATETIME(6) NOT NULL${created_at_default},
  PRIMARY KEY (id),
  KEY ${name:_delayed_by_due} (lane, due_at),
  CONSTRAINT ${name:_due_at_is_a_date} CHECK (due_at >= '1000-01-01' AND MONTH(due_at) > 0 AND DAYOFMONTH(due_at) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(due_at))),
  CONSTRAINT ${name:_delayed_created_at} CHECK (created_at >= '1000-01-01' AND MONTH(created_at) > 0 AND DAYOFMONTH(created_at) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(created_at))),
  CONSTRAINT ${name:_delayed_foreign_id} CHECK (foreign_id IS NULL OR id = UNHEX(LEFT(SHA2(foreign_id, 256), 32))),
  CONSTRAINT ${name:_delayed_lane_range} CHECK (lane BETWEEN 0 AND ${lanes} - 1)${payload_check}
) ${table_options}
  COMMENT = 'Messages with a due time in the future; when due, the owner of the lane moves them to the hot table.';

CREATE TABLE IF NOT EXISTS ${table:_dead} (
  lane            SMALLINT NOT NULL,
  seq             BIGINT NOT NULL,
  id              BINARY(16) NOT NULL,
  foreign_id      VARCHAR(1024),
  topic           VARCHAR(255) NOT NULL,
  message_key     VARCHAR(512),
  type            VARCHAR(255) NOT NULL,
  headers         MEDIUMTEXT,
  content_type    VARCHAR(255) NOT NULL,
  payload         ${payload_type} NOT NULL,
  created_at      DATETIME(6) NOT NULL,
  reason          VARCHAR(32) NOT NULL,
  attempts        INT NOT NULL,
  last_error      VARCHAR(1024),
  failures        TEXT
                  COMMENT 'The latest failed attempts, a line for each: its time in UTC and its error.',
  first_failed_at DATETIME(6),
  died_at         DATETIME(6) NOT NULL,
  retry_requested BOOLEAN NOT NULL DEFAULT FALSE
                  COMMENT 'An operator wants another delivery; the owner of the lane puts the row back into held.',
  PRIMARY KEY (lane, seq, id),
  -- One letter, by the id that an operator has.
  KEY ${name:_dead_by_id} (id),
  -- What an operator requested; and whether a key that was given up has letters left.
  KEY ${name:_dead_by_request} (retry_requested, lane, seq),
  KEY ${name:_dead_by_key} (message_key),
  -- For the cleanup.
  KEY ${name:_dead_by_time} (died_at)
) ${table_options}
  COMMENT = 'Dead letters: messages given up on, until an operator has them retried or discards them.';

CREATE TABLE IF NOT EXISTS ${table:_member} (
  owner        VARCHAR(255) NOT NULL,
  started_at   DATETIME(6) NOT NULL,
  heartbeat_at DATETIME(6) NOT NULL,
  report       TEXT NOT NULL COMMENT 'What the relay says of its destinations and workers, as JSON, for operators.',
  PRIMARY KEY (owner)
) ${table_options}
  COMMENT = 'Relay instances that live, so that lanes are shared fairly.';

CREATE TABLE IF NOT EXISTS ${table:_control} (
  kind   VARCHAR(32) NOT NULL,
  name   VARCHAR(512) NOT NULL,
  set_by VARCHAR(255) NOT NULL,
  set_at DATETIME(6) NOT NULL,
  PRIMARY KEY (kind, name)
) ${table_options}
  COMMENT = 'Kind pause: the name is a destination that is paused. Kind buried_key: the name is a key that was given up as a whole.';

CREATE TABLE IF NOT EXISTS ${table:_operation} (
  id          BINARY(16) NOT NULL,
  happened_at DATETIME(6) NOT NULL,
  operator    VARCHAR(255) NOT NULL,
  action      VARCHAR(32) NOT NULL,
  details     VARCHAR(1024) NOT NULL,
  affected    INT NOT NULL,
  PRIMARY KEY (id)
) ${table_options}
  COMMENT = 'What operators did: retries, discards, pauses, unblocks.';

CREATE TABLE IF NOT EXISTS ${table:_dedup} (
  dedup_key  VARCHAR(255) NOT NULL,
  message_id BINARY(16) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  PRIMARY KEY (dedup_key),
  -- For the cleanup.
  KEY ${name:_dedup_by_time} (created_at)
) ${table_options}
  COMMENT = 'Dedup keys already used; a message with a known one is not enqueued again.';

CREATE TABLE IF NOT EXISTS ${table:_task} (
  name        VARCHAR(64) NOT NULL,
  owner       VARCHAR(255),
  lease_until DATETIME(6),
  PRIMARY KEY (name)
) ${table_options}
  COMMENT = 'Which instance runs a maintenance task, and until when.';
