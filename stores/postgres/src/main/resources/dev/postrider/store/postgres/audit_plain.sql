CREATE TABLE ${table:_sent} (
  lane         integer     NOT NULL,
  seq          bigint      NOT NULL,
  id           uuid        NOT NULL,
  foreign_id   text,
  topic        text        NOT NULL,
  message_key  text        COLLATE "C",
  type         text        NOT NULL,
  headers      text,
  content_type text        NOT NULL,
  payload      ${payload}  NOT NULL,
  created_at   timestamptz NOT NULL,
  delivered_at timestamptz NOT NULL
);

CREATE INDEX ${name:_sent_time_idx} ON ${table:_sent} (delivered_at);
CREATE INDEX ${name:_sent_id_idx} ON ${table:_sent} (id);

COMMENT ON TABLE ${table:_sent} IS 'The audit trail: messages that were delivered.';
