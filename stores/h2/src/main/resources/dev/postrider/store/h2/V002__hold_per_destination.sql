-- Held messages wait per key and destination. What an older relay held or holds has none; the next owner of its lane says which.
ALTER TABLE ${table:_held} ADD COLUMN IF NOT EXISTS destination CHARACTER VARYING(200);
COMMENT ON COLUMN ${table:_held}.destination IS 'Where it leads: order is kept per key and destination. NULL: not known yet.';
COMMENT ON COLUMN ${table:_held}.next_attempt_at IS 'When it is sent again; NULL: waits behind an earlier message of its key for the same destination.';
-- The first held row of a line, whether a line has any, and what has no destination yet.
CREATE INDEX IF NOT EXISTS ${table:_held_by_line} ON ${table:_held} (lane, destination, message_key, seq);
