-- Postrider outbox, schema version 1, for H2. Every statement may run again.

CREATE TABLE IF NOT EXISTS ${table:} (
  seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY CONSTRAINT ${name:_seq_range} CHECK (seq BETWEEN 1 AND 9223372036854775806),
  lane         INTEGER GENERATED ALWAYS AS (${lane_expression}) NOT NULL CHECK (lane BETWEEN 0 AND ${lanes} - 1),
  id           UUID NOT NULL,
  foreign_id   CHARACTER VARYING(1024) CONSTRAINT ${name:_id_of_foreign_id} CHECK (foreign_id IS NULL OR id = CAST(SUBSTRING(HASH('SHA-256', STRINGTOUTF8(foreign_id)) FROM 1 FOR 16) AS UUID)),
  topic        CHARACTER VARYING(255) NOT NULL,
  message_key  CHARACTER VARYING(512),
  type         CHARACTER VARYING(255) NOT NULL,
  headers      CHARACTER VARYING(1048576),
  content_type CHARACTER VARYING(255) DEFAULT 'application/octet-stream' NOT NULL,
  payload      ${payload_type} NOT NULL,
  created_at   TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP(6) NOT NULL CONSTRAINT ${name:_created_at_range} CHECK (EXTRACT(YEAR FROM created_at) BETWEEN 1 AND 9999)
);
COMMENT ON TABLE ${table:} IS 'Messages not yet delivered. A row exists from the commit of its transaction until its delivery; it never changes.';
COMMENT ON COLUMN ${table:}.seq IS 'Given by the database on insert; the order inside a lane.';
COMMENT ON COLUMN ${table:}.lane IS 'Computed: first 4 bytes of SHA-256(UTF-8 key), unsigned, modulo the lane count; without a key, of the 16 bytes of the id.';
COMMENT ON COLUMN ${table:}.id IS 'Identity of the message, the same on every redelivery; by default a UUIDv7.';
COMMENT ON COLUMN ${table:}.foreign_id IS 'The id as text where it is no UUID in lower case; the id is then the first 16 bytes of its SHA-256.';
COMMENT ON COLUMN ${table:}.message_key IS 'The entity that the message belongs to; messages of one key keep their order. NULL: no order.';
COMMENT ON COLUMN ${table:}.headers IS 'A JSON object of strings, or NULL for none.';
-- The oldest row of a lane, and the sweep that proves that no row was missed.
CREATE INDEX IF NOT EXISTS ${table:_by_lane} ON ${table:} (lane, seq);

CREATE TABLE IF NOT EXISTS ${table:_lane} (
  lane          INTEGER PRIMARY KEY,
  owner         CHARACTER VARYING(255),
  epoch         BIGINT NOT NULL,
  lease_until   TIMESTAMP(6) WITH TIME ZONE,
  scan_position CHARACTER VARYING(65536)
);
COMMENT ON TABLE ${table:_lane} IS 'One row for each lane: which relay owns it, until when, and how far it has read.';
COMMENT ON COLUMN ${table:_lane}.owner IS 'The random id of a relay instance; NULL: free.';
COMMENT ON COLUMN ${table:_lane}.epoch IS 'Grows at every take; whoever presents an older one has lost the lane.';
INSERT INTO ${table:_lane} (lane, epoch)
  SELECT n.lane, n.epoch FROM (VALUES ${lane_rows}) AS n (lane, epoch)
  WHERE NOT EXISTS (SELECT 1 FROM ${table:_lane} l WHERE l.lane = n.lane);

CREATE TABLE IF NOT EXISTS ${table:_held} (
  lane            INTEGER NOT NULL,
  seq             BIGINT NOT NULL,
  id              UUID NOT NULL,
  foreign_id      CHARACTER VARYING(1024),
  topic           CHARACTER VARYING(255) NOT NULL,
  message_key     CHARACTER VARYING(512),
  type            CHARACTER VARYING(255) NOT NULL,
  headers         CHARACTER VARYING(1048576),
  content_type    CHARACTER VARYING(255) NOT NULL,
  payload         ${payload_type} NOT NULL,
  created_at      TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  destination     CHARACTER VARYING(200),
  attempts        INTEGER NOT NULL,
  next_attempt_at TIMESTAMP(6) WITH TIME ZONE,
  blocked         BOOLEAN DEFAULT FALSE NOT NULL,
  last_error      CHARACTER VARYING(1024),
  failures        CHARACTER VARYING(4000),
  first_failed_at TIMESTAMP(6) WITH TIME ZONE,
  PRIMARY KEY (seq, lane, id)
);
COMMENT ON TABLE ${table:_held} IS 'Messages that are being retried, or wait behind one of their key that is. Only the owner of the lane changes rows.';
COMMENT ON COLUMN ${table:_held}.destination IS 'Where it leads: order is kept per key and destination. NULL: not known yet.';
COMMENT ON COLUMN ${table:_held}.next_attempt_at IS 'When it is sent again; NULL: waits behind an earlier message of its key for the same destination.';
COMMENT ON COLUMN ${table:_held}.blocked IS 'Waits until an operator unblocks it.';
-- The first held row of a key, and whether a key has any.
CREATE INDEX IF NOT EXISTS ${table:_held_by_key} ON ${table:_held} (lane, message_key, seq);
-- The first held row of a line, whether a line has any, and what has no destination yet.
CREATE INDEX IF NOT EXISTS ${table:_held_by_line} ON ${table:_held} (lane, destination, message_key, seq);
-- What is due.
CREATE INDEX IF NOT EXISTS ${table:_held_by_due} ON ${table:_held} (lane, next_attempt_at);
-- The same of one topic at a destination, so that a topic which is closed there is passed over.
CREATE INDEX IF NOT EXISTS ${table:_held_by_place} ON ${table:_held} (lane, destination, topic, next_attempt_at);

CREATE TABLE IF NOT EXISTS ${table:_delayed} (
  id           UUID PRIMARY KEY,
  foreign_id   CHARACTER VARYING(1024) CONSTRAINT ${name:_delayed_foreign_id} CHECK (foreign_id IS NULL OR id = CAST(SUBSTRING(HASH('SHA-256', STRINGTOUTF8(foreign_id)) FROM 1 FOR 16) AS UUID)),
  lane         INTEGER GENERATED ALWAYS AS (${lane_expression}) NOT NULL CHECK (lane BETWEEN 0 AND ${lanes} - 1),
  due_at       TIMESTAMP(6) WITH TIME ZONE NOT NULL CONSTRAINT ${name:_due_at_range} CHECK (EXTRACT(YEAR FROM due_at) BETWEEN 1 AND 9999),
  topic        CHARACTER VARYING(255) NOT NULL,
  message_key  CHARACTER VARYING(512),
  type         CHARACTER VARYING(255) NOT NULL,
  headers      CHARACTER VARYING(1048576),
  content_type CHARACTER VARYING(255) DEFAULT 'application/octet-stream' NOT NULL,
  payload      ${payload_type} NOT NULL,
  created_at   TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP(6) NOT NULL CONSTRAINT ${name:_delayed_created_at_range} CHECK (EXTRACT(YEAR FROM created_at) BETWEEN 1 AND 9999)
);
COMMENT ON TABLE ${table:_delayed} IS 'Messages with a due time in the future; when due, the owner of the lane moves them to the hot table.';
CREATE INDEX IF NOT EXISTS ${table:_delayed_by_due} ON ${table:_delayed} (lane, due_at);

CREATE TABLE IF NOT EXISTS ${table:_dead} (
  lane            INTEGER NOT NULL,
  seq             BIGINT NOT NULL,
  id              UUID NOT NULL,
  foreign_id      CHARACTER VARYING(1024),
  topic           CHARACTER VARYING(255) NOT NULL,
  message_key     CHARACTER VARYING(512),
  type            CHARACTER VARYING(255) NOT NULL,
  headers         CHARACTER VARYING(1048576),
  content_type    CHARACTER VARYING(255) NOT NULL,
  payload         ${payload_type} NOT NULL,
  created_at      TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  reason          CHARACTER VARYING(32) NOT NULL,
  attempts        INTEGER NOT NULL,
  last_error      CHARACTER VARYING(1024),
  failures        CHARACTER VARYING(4000),
  first_failed_at TIMESTAMP(6) WITH TIME ZONE,
  died_at         TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  retry_requested BOOLEAN DEFAULT FALSE NOT NULL,
  PRIMARY KEY (seq, lane, id)
);
COMMENT ON TABLE ${table:_dead} IS 'Dead letters: messages given up on, until an operator has them retried or discards them.';
COMMENT ON COLUMN ${table:_dead}.retry_requested IS 'An operator wants another delivery; the owner of the lane puts the row back into held.';
-- Pages of letters in their order.
CREATE INDEX IF NOT EXISTS ${table:_dead_by_lane} ON ${table:_dead} (lane, seq, id);
-- One letter, by the id that an operator has.
CREATE INDEX IF NOT EXISTS ${table:_dead_by_id} ON ${table:_dead} (id);
-- What an operator requested; and whether a key that was given up has letters left.
CREATE INDEX IF NOT EXISTS ${table:_dead_by_request} ON ${table:_dead} (retry_requested, lane, seq);
CREATE INDEX IF NOT EXISTS ${table:_dead_by_key} ON ${table:_dead} (message_key);
-- The oldest, for the cleanup.
CREATE INDEX IF NOT EXISTS ${table:_dead_by_time} ON ${table:_dead} (died_at);

CREATE TABLE IF NOT EXISTS ${table:_member} (
  owner        CHARACTER VARYING(255) PRIMARY KEY,
  started_at   TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  heartbeat_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  report       CHARACTER LARGE OBJECT NOT NULL
);
COMMENT ON COLUMN ${table:_member}.report IS 'What the relay says of its destinations and workers, as JSON, for operators.';
COMMENT ON TABLE ${table:_member} IS 'Relay instances that live, so that lanes are shared fairly.';

CREATE TABLE IF NOT EXISTS ${table:_control} (
  kind   CHARACTER VARYING(32) NOT NULL,
  name   CHARACTER VARYING(512) NOT NULL,
  set_by CHARACTER VARYING(255) NOT NULL,
  set_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  PRIMARY KEY (kind, name)
);
COMMENT ON TABLE ${table:_control} IS 'Kind pause: the name is a destination that is paused. Kind buried_key: the name is a key that was given up as a whole.';

CREATE TABLE IF NOT EXISTS ${table:_operation} (
  id          UUID PRIMARY KEY,
  happened_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  operator    CHARACTER VARYING(255) NOT NULL,
  action      CHARACTER VARYING(32) NOT NULL,
  details     CHARACTER VARYING(1024) NOT NULL,
  affected    INTEGER NOT NULL
);
COMMENT ON TABLE ${table:_operation} IS 'What operators did: retries, discards, pauses, unblocks.';

CREATE TABLE IF NOT EXISTS ${table:_dedup} (
  dedup_key  CHARACTER VARYING(255) PRIMARY KEY,
  message_id UUID NOT NULL,
  created_at TIMESTAMP(6) WITH TIME ZONE NOT NULL
);
COMMENT ON TABLE ${table:_dedup} IS 'Dedup keys already used; a message with a known one is not enqueued again.';
CREATE INDEX IF NOT EXISTS ${table:_dedup_by_time} ON ${table:_dedup} (created_at);

CREATE TABLE IF NOT EXISTS ${table:_task} (
  name        CHARACTER VARYING(64) PRIMARY KEY,
  owner       CHARACTER VARYING(255),
  lease_until TIMESTAMP(6) WITH TIME ZONE
);
COMMENT ON TABLE ${table:_task} IS 'Which instance runs a maintenance task, and until when.';
