-- A next version that only tests have, so that the way to it is tested before there is one.
ALTER TABLE ${table:_member} ADD COLUMN note text;
