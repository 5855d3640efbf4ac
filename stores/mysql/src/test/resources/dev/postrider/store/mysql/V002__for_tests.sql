-- A next version that only tests have, so that the way to it is tested before there is one.
-- Only if it is missing: an interrupted migration runs again, and MySQL knows no ADD COLUMN IF NOT EXISTS.
SET @postrider_ddl = IF(
  EXISTS (SELECT 1 FROM information_schema.columns
          WHERE table_schema = DATABASE() AND table_name = 'outbox_member' AND column_name = 'note'),
  'DO 0',
  'ALTER TABLE ${table:_member} ADD COLUMN note VARCHAR(200)');
PREPARE postrider_ddl FROM @postrider_ddl;
EXECUTE postrider_ddl;
DEALLOCATE PREPARE postrider_ddl;
