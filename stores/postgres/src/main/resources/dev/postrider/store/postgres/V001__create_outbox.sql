-- The outbox in PostgreSQL 13 and later.

CREATE FUNCTION ${table:_lane_of}(message_key text, id uuid) RETURNS integer
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
  hash bytea := pg_catalog.sha256(coalesce(pg_catalog.convert_to(message_key, 'UTF8'), pg_catalog.uuid_send(id)));
BEGIN
  RETURN (((pg_catalog.get_byte(hash, 0)::bigint << 24) | (pg_catalog.get_byte(hash, 1) << 16)
           | (pg_catalog.get_byte(hash, 2) << 8) | pg_catalog.get_byte(hash, 3)) % ${lanes})::integer;
END
$$;

COMMENT ON FUNCTION ${table:_lane_of}(text, uuid) IS
  'The lane of a message: the first 4 bytes of SHA-256 of the key in UTF-8 (without a key: of the 16 bytes of the id), unsigned, modulo ${lanes}. Declared immutable, which it is for the life of a database, because convert_to is only stable.';

CREATE TABLE ${table:} (
  seq          bigint      GENERATED ALWAYS AS IDENTITY (CACHE 1),
  tx           xid8        NOT NULL,
  lane         integer     NOT NULL,
  id           uuid        NOT NULL,
  foreign_id   text,
  topic        text        NOT NULL,
  message_key  text        COLLATE "C",
  type         text        NOT NULL,
  headers      text,
  content_type text        NOT NULL DEFAULT 'application/octet-stream',
  payload      ${payload}  NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (lane, seq)
) WITH (
  -- Rows live for moments: vacuum after so many deletions, not after a share of a table that is empty or huge.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 5000, toast.autovacuum_vacuum_cost_delay = 0
);

-- What became visible between two snapshots, lane by lane. With a cast, so that a statement names this index and no other:
-- to a planner that believes the table empty, the primary key would look just as good.
CREATE INDEX ${name:_tx_idx} ON ${table:} ((lane::bigint), tx);

-- A trigger checks rows and gives them their lane, not CHECKs and a computed column: their expressions the server reads and prepares
-- anew for each statement. It also gives a row the number of the transaction that writes it into this table: one that was written on
-- another server brings the number of a transaction there, by logical replication or with the COPY of a dump, and no relay would find it.
CREATE FUNCTION ${table:_check_row}() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
  -- As ${name:_lane_of} computes it; calling that would cost a quarter more.
  lane CONSTANT integer := pg_catalog.mod(('x' || pg_catalog.encode(pg_catalog.substr(pg_catalog.sha256(
    coalesce(pg_catalog.convert_to(NEW.message_key, 'UTF8'), pg_catalog.uuid_send(NEW.id))), 1, 4), 'hex'))::bit(32)::bigint, ${lanes});
BEGIN
  -- One expression for all that is usual: each further one costs every row. Of a missing value NOT NULL tells.
  IF NOT (coalesce(NEW.lane = lane, true)
          AND pg_catalog.octet_length(NEW.topic) BETWEEN 1 AND 255
          AND coalesce(pg_catalog.octet_length(NEW.message_key) BETWEEN 1 AND 512, true)
          AND pg_catalog.octet_length(NEW.type) BETWEEN 1 AND 255
          AND coalesce(pg_catalog.json_typeof(NEW.headers::json) <> '', true)
          AND pg_catalog.octet_length(NEW.content_type) BETWEEN 1 AND 255
          AND NEW.created_at BETWEEN timestamptz '0001-01-01 UTC' AND timestamptz '9999-12-31 UTC'
          AND NEW.seq BETWEEN 1 AND 9223372036854775806
          AND (NEW.foreign_id IS NULL
               OR pg_catalog.octet_length(NEW.foreign_id) BETWEEN 1 AND 1024
               AND NEW.id = pg_catalog.encode(pg_catalog.substr(pg_catalog.sha256(pg_catalog.convert_to(NEW.foreign_id, 'UTF8')), 1, 16), 'hex')::uuid)) THEN
    RAISE check_violation USING SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, MESSAGE = CASE
      WHEN pg_catalog.octet_length(NEW.topic) NOT BETWEEN 1 AND 255
        THEN pg_catalog.format('topic has %s bytes, allowed are 1 to 255', pg_catalog.octet_length(NEW.topic))
      WHEN pg_catalog.octet_length(NEW.message_key) NOT BETWEEN 1 AND 512
        THEN pg_catalog.format('message_key has %s bytes, allowed are 1 to 512, or NULL', pg_catalog.octet_length(NEW.message_key))
      WHEN pg_catalog.octet_length(NEW.type) NOT BETWEEN 1 AND 255
        THEN pg_catalog.format('type has %s bytes, allowed are 1 to 255', pg_catalog.octet_length(NEW.type))
      WHEN pg_catalog.octet_length(NEW.content_type) NOT BETWEEN 1 AND 255
        THEN pg_catalog.format('content_type has %s bytes, allowed are 1 to 255', pg_catalog.octet_length(NEW.content_type))
      WHEN NEW.created_at NOT BETWEEN timestamptz '0001-01-01 UTC' AND timestamptz '9999-12-31 UTC'
        THEN pg_catalog.format('created_at is %s, allowed are the years 1 to 9999; leave it out', NEW.created_at)
      WHEN NEW.seq NOT BETWEEN 1 AND 9223372036854775806
        THEN pg_catalog.format('seq is %s, allowed are 1 to 9223372036854775806; leave it out', NEW.seq)
      WHEN pg_catalog.octet_length(NEW.foreign_id) NOT BETWEEN 1 AND 1024
        THEN pg_catalog.format('foreign_id has %s bytes, allowed are 1 to 1024, or NULL', pg_catalog.octet_length(NEW.foreign_id))
      WHEN NEW.foreign_id IS NOT NULL
           AND NEW.id IS DISTINCT FROM pg_catalog.encode(pg_catalog.substr(pg_catalog.sha256(pg_catalog.convert_to(NEW.foreign_id, 'UTF8')), 1, 16), 'hex')::uuid
        THEN pg_catalog.format('id is %s, but with a foreign_id it must be the first 16 bytes of its SHA-256 in UTF-8', NEW.id)
      ELSE pg_catalog.format('lane is %s, but that of this key or id is %s; leave it out', NEW.lane, lane)
    END;
  END IF;
  NEW.lane := lane;
  NEW.tx := pg_catalog.pg_current_xact_id();
  RETURN NEW;
END
$$;

COMMENT ON FUNCTION ${table:_check_row}() IS
  'Gives a row of ${name:} its lane and the number of its transaction, and refuses one that no relay could deliver: with check_violation, or what the json type says of its headers.';

CREATE TRIGGER ${name:_check_row} BEFORE INSERT OR UPDATE ON ${table:}
FOR EACH ROW EXECUTE FUNCTION ${table:_check_row}();
-- Also for rows that logical replication applies, and where session_replication_role is replica.
ALTER TABLE ${table:} ENABLE ALWAYS TRIGGER ${name:_check_row};

COMMENT ON TABLE ${table:} IS
  'Messages that are committed and not yet delivered. To enqueue from any language, INSERT id, topic, message_key, type, headers, content_type and payload in the transaction of the business change, and leave out the other columns. Rows are never updated; a relay deletes them when the broker has them.';
COMMENT ON COLUMN ${table:}.seq IS 'The order inside a lane. The sequence must keep CACHE 1: cached numbers would be used out of order.';
COMMENT ON COLUMN ${table:}.tx IS 'The transaction that inserted the row, by which a relay finds rows whose transactions commit late.';
COMMENT ON COLUMN ${table:}.lane IS 'Computed from key or id; the unit of ownership of relays. A row in a lane that nobody owns would never be delivered.';
COMMENT ON COLUMN ${table:}.id IS 'Identity of the message, the same on every delivery; a UUIDv7 by preference.';
COMMENT ON COLUMN ${table:}.foreign_id IS 'The id as text where it is no UUID in lower case; the id is then the first 16 bytes of its SHA-256. NULL: the id is a UUID.';
COMMENT ON COLUMN ${table:}.topic IS 'Where it goes at the broker: Kafka topic, AMQP exchange, NATS subject.';
COMMENT ON COLUMN ${table:}.message_key IS 'The entity it belongs to; messages of one key are delivered in order. NULL: no order.';
COMMENT ON COLUMN ${table:}.type IS 'What happened.';
COMMENT ON COLUMN ${table:}.headers IS 'A JSON object whose values are strings; NULL: none.';
COMMENT ON COLUMN ${table:}.created_at IS 'When the row was inserted, by the clock of the database.';

CREATE TABLE ${table:_lane} (
  lane          integer     PRIMARY KEY CHECK (lane BETWEEN 0 AND ${lanes} - 1),
  owner         text,
  epoch         bigint      NOT NULL,
  lease_until   timestamptz,
  scan_position text
) WITH (fillfactor = 50);

INSERT INTO ${table:_lane} (lane, epoch) VALUES ${lane_rows};

COMMENT ON TABLE ${table:_lane} IS 'Which relay owns which lane. Locked by every change that only the owner may make.';
COMMENT ON COLUMN ${table:_lane}.owner IS 'The relay that holds the lease; NULL: nobody.';
COMMENT ON COLUMN ${table:_lane}.epoch IS 'Grows at every take; an older one is refused.';
COMMENT ON COLUMN ${table:_lane}.lease_until IS 'When the lease ends, by the clock of the database.';
COMMENT ON COLUMN ${table:_lane}.scan_position IS 'What a next owner needs in order not to read the lane from its head.';

CREATE TABLE ${table:_held} (
  lane            integer     NOT NULL,
  seq             bigint      NOT NULL,
  id              uuid        NOT NULL,
  foreign_id      text,
  topic           text        NOT NULL,
  message_key     text        COLLATE "C",
  type            text        NOT NULL,
  headers         text,
  content_type    text        NOT NULL,
  payload         ${payload}  NOT NULL,
  created_at      timestamptz NOT NULL,
  destination     text        COLLATE "C",
  attempts        integer     NOT NULL,
  next_attempt_at timestamptz,
  blocked         boolean     NOT NULL,
  last_error      varchar(1024),
  failures        text,
  first_failed_at timestamptz,
  PRIMARY KEY (lane, seq)
) WITH (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0
);

-- Whether an earlier message of a key is held, at all or for a destination, and which one is the first.
CREATE INDEX ${name:_held_key_idx} ON ${table:_held} (message_key, lane, destination, seq);
-- What has no destination yet: mostly nothing.
CREATE INDEX ${name:_held_unassigned_idx} ON ${table:_held} (lane) WHERE destination IS NULL;
-- What is due, and what falls due next. Partial, so that nothing else is read with it.
CREATE INDEX ${name:_held_due_idx} ON ${table:_held} (lane, next_attempt_at) WHERE next_attempt_at IS NOT NULL;

-- The same of one topic at a destination, so that a topic which is closed there is passed over, however many rows wait for it.
CREATE INDEX ${name:_held_place_idx} ON ${table:_held} (lane, destination, topic, next_attempt_at);

COMMENT ON TABLE ${table:_held} IS 'Messages that are being retried, and those of the same key that wait behind them.';
COMMENT ON COLUMN ${table:_held}.destination IS 'Where it leads: order is kept per key and destination. NULL: not known yet.';
COMMENT ON COLUMN ${table:_held}.attempts IS 'Deliveries that failed.';
COMMENT ON COLUMN ${table:_held}.next_attempt_at IS 'When it is tried again; NULL: it waits behind an earlier message of its key for the same destination.';
COMMENT ON COLUMN ${table:_held}.failures IS 'The latest failed attempts, a line for each: its time in UTC and its error.';
COMMENT ON COLUMN ${table:_held}.blocked IS 'Whether it waits for an operator.';

CREATE TABLE ${table:_delayed} (
  id           uuid        PRIMARY KEY,
  foreign_id   text        CHECK (octet_length(foreign_id) BETWEEN 1 AND 1024
                                  AND id = CAST(encode(substr(sha256(convert_to(foreign_id, 'UTF8')), 1, 16), 'hex') AS uuid)),
  lane         integer     NOT NULL GENERATED ALWAYS AS (${table:_lane_of}(message_key, id)) STORED
                           CHECK (lane BETWEEN 0 AND ${lanes} - 1),
  due_at       timestamptz NOT NULL,
  topic        text        NOT NULL CHECK (octet_length(topic) BETWEEN 1 AND 255),
  message_key  text        COLLATE "C" CHECK (octet_length(message_key) BETWEEN 1 AND 512),
  type         text        NOT NULL CHECK (octet_length(type) BETWEEN 1 AND 255),
  headers      text        CHECK (json_typeof(CAST(headers AS json)) <> ''),
  content_type text        NOT NULL DEFAULT 'application/octet-stream' CHECK (octet_length(content_type) BETWEEN 1 AND 255),
  payload      ${payload}  NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- A CHECK would not tell the value. An infinite time can be neither waited for nor read by every driver.
CREATE FUNCTION ${table:_check_times}() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
  earliest CONSTANT timestamptz := '0001-01-01 UTC';
  latest   CONSTANT timestamptz := '9999-12-31 UTC';
BEGIN
  IF NEW.due_at NOT BETWEEN earliest AND latest OR NEW.created_at NOT BETWEEN earliest AND latest THEN
    RAISE check_violation USING SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, MESSAGE = CASE
      WHEN NEW.due_at NOT BETWEEN earliest AND latest
        THEN pg_catalog.format('due_at is %s, allowed are the years 1 to 9999', NEW.due_at)
      ELSE pg_catalog.format('created_at is %s, allowed are the years 1 to 9999; leave it out', NEW.created_at)
    END;
  END IF;
  RETURN NEW;
END
$$;

COMMENT ON FUNCTION ${table:_check_times}() IS 'Refuses times of ${name:_delayed} that no relay could wait for.';

CREATE TRIGGER ${name:_check_times} BEFORE INSERT OR UPDATE ON ${table:_delayed}
FOR EACH ROW EXECUTE FUNCTION ${table:_check_times}();
ALTER TABLE ${table:_delayed} ENABLE ALWAYS TRIGGER ${name:_check_times};

CREATE INDEX ${name:_delayed_due_idx} ON ${table:_delayed} (lane, due_at);

COMMENT ON TABLE ${table:_delayed} IS 'Messages with a due time in the future. When it has come, a relay moves them to ${name:}.';

CREATE TABLE ${table:_dead} (
  lane            integer     NOT NULL,
  seq             bigint      NOT NULL,
  id              uuid        NOT NULL,
  foreign_id      text,
  topic           text        NOT NULL,
  message_key     text        COLLATE "C",
  type            text        NOT NULL,
  headers         text,
  content_type    text        NOT NULL,
  payload         ${payload}  NOT NULL,
  created_at      timestamptz NOT NULL,
  reason          varchar(64) NOT NULL,
  attempts        integer     NOT NULL,
  last_error      varchar(1024),
  failures        text,
  first_failed_at timestamptz,
  died_at         timestamptz NOT NULL,
  retry_requested boolean     NOT NULL,
  PRIMARY KEY (lane, seq, id)
);

CREATE INDEX ${name:_dead_id_idx} ON ${table:_dead} (id);
CREATE INDEX ${name:_dead_died_idx} ON ${table:_dead} (died_at);
CREATE INDEX ${name:_dead_key_idx} ON ${table:_dead} (message_key) WHERE message_key IS NOT NULL;
-- Nearly always empty: relays ask often whether there are requests.
CREATE INDEX ${name:_dead_retry_idx} ON ${table:_dead} (lane, seq) WHERE retry_requested;

COMMENT ON TABLE ${table:_dead} IS 'Dead letters: messages that were given up. Operators retry or discard them.';
COMMENT ON COLUMN ${table:_dead}.reason IS 'REJECTED, ATTEMPTS_EXHAUSTED, KEY_BURIED or UNREADABLE.';
COMMENT ON COLUMN ${table:_dead}.retry_requested IS 'An operator wants it delivered; the owner of the lane puts it back into ${name:_held}.';

CREATE TABLE ${table:_member} (
  owner        text        PRIMARY KEY,
  started_at   timestamptz NOT NULL,
  heartbeat_at timestamptz NOT NULL,
  report       text        NOT NULL
) WITH (fillfactor = 50);

COMMENT ON TABLE ${table:_member} IS 'The relays that live.';
COMMENT ON COLUMN ${table:_member}.report IS 'What the relay says of its destinations and workers, as JSON, for operators.';

CREATE TABLE ${table:_control} (
  kind   text        NOT NULL,
  name   text        COLLATE "C" NOT NULL,
  set_by text        NOT NULL,
  set_at timestamptz NOT NULL,
  PRIMARY KEY (kind, name)
);

COMMENT ON TABLE ${table:_control} IS 'Switches for all relays: kind pause with the name of a destination, kind buried_key with a key that was given up.';

CREATE TABLE ${table:_operation} (
  id          uuid         PRIMARY KEY,
  happened_at timestamptz  NOT NULL,
  operator    varchar(255) NOT NULL,
  action      text         NOT NULL,
  details     text         NOT NULL,
  affected    integer      NOT NULL
);

CREATE INDEX ${name:_operation_time_idx} ON ${table:_operation} (happened_at);

COMMENT ON TABLE ${table:_operation} IS 'What operators did, who and when.';

CREATE TABLE ${table:_dedup} (
  dedup_key  text        COLLATE "C" PRIMARY KEY CHECK (octet_length(dedup_key) BETWEEN 1 AND 255),
  message_id uuid        NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE INDEX ${name:_dedup_time_idx} ON ${table:_dedup} (created_at);

COMMENT ON TABLE ${table:_dedup} IS 'Dedup keys that were used, with the message that used them. Not in ${name:} itself, where a unique index would cost every insert.';

CREATE TABLE ${table:_task} (
  name        text        PRIMARY KEY,
  owner       text,
  lease_until timestamptz
);

COMMENT ON TABLE ${table:_task} IS 'Which instance runs which maintenance task; one at a time.';

CREATE UNLOGGED TABLE ${table:_incarnation} (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  token      uuid    NOT NULL,
  planted_by xid8    NOT NULL
);

COMMENT ON TABLE ${table:_incarnation} IS
  'A random token. UNLOGGED on purpose: the server empties it after a crash and on promotion, when transaction numbers may come again; relays then drop what they remember.';
COMMENT ON COLUMN ${table:_incarnation}.planted_by IS
  'The transaction that wrote the row. A row that came out of a backup was written by another one, and does not count.';
