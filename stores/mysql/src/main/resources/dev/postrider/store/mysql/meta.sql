-- Before all other tables, and of no version: it says which of them there are, and how they were begun.
CREATE TABLE IF NOT EXISTS ${table:_meta} (
  name    VARCHAR(64) NOT NULL,
  `value` VARCHAR(255) NOT NULL,
  PRIMARY KEY (name)
) ${table_options}
  COMMENT = 'What was created: schema version, lane count, payload format, audit trail.';
