-- Held messages wait per key and destination. What an older relay held or holds has none; the next owner of its lane says which.
-- One statement for column and index, so that there are both or none; and only if they are missing, since a migration that was
-- interrupted runs again and MySQL knows no ADD COLUMN IF NOT EXISTS. Index: the first held row of a line, whether a line has
-- any, and what has no destination yet.
SET @postrider_ddl = IF(
  EXISTS (SELECT 1 FROM information_schema.columns
          WHERE table_schema = ${schema_literal} AND table_name = ${held_literal} AND column_name = 'destination'),
  'DO 0',
  'ALTER TABLE ${table:_held}
     ADD COLUMN destination VARCHAR(200)
       COMMENT ''Where it leads: order is kept per key and destination. NULL: not known yet.'',
     ADD KEY ${name:_held_by_line} (lane, destination, message_key, seq)');
PREPARE postrider_ddl FROM @postrider_ddl;
EXECUTE postrider_ddl;
DEALLOCATE PREPARE postrider_ddl;
