-- Held messages wait per key and destination. What an older relay held or holds has none; the next owner of its lane says which.
ALTER TABLE ${table:_held} ADD COLUMN destination text COLLATE "C";

COMMENT ON COLUMN ${table:_held}.destination IS 'Where it leads: order is kept per key and destination. NULL: not known yet.';
COMMENT ON COLUMN ${table:_held}.next_attempt_at IS 'When it is tried again; NULL: it waits behind an earlier message of its key for the same destination.';

-- Whether an earlier message of a key is held, at all or for a destination, and which one is the first.
DROP INDEX ${table:_held_key_idx};
CREATE INDEX ${name:_held_key_idx} ON ${table:_held} (message_key, lane, destination, seq);
-- What has no destination yet: mostly nothing.
CREATE INDEX ${name:_held_unassigned_idx} ON ${table:_held} (lane) WHERE destination IS NULL;
