-- Before all other tables, and of no version: it says which of them there are, and how they were begun.
CREATE TABLE ${table:_meta} (
  name  text PRIMARY KEY,
  value text NOT NULL
);

COMMENT ON TABLE ${table:_meta} IS 'How this outbox was created: schema version, lane count, payload format, audit trail.';
