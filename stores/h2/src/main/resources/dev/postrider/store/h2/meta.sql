-- Before all other tables, and of no version: it says which of them there are, and how they were begun.
CREATE TABLE IF NOT EXISTS ${table:_meta} (
  name    CHARACTER VARYING(64) PRIMARY KEY,
  "value" CHARACTER VARYING(255) NOT NULL
);
COMMENT ON TABLE ${table:_meta} IS 'What was created: schema version, lane count, payload format, audit trail.';
