CREATE TABLE ${table:} (p ${payload_type}, CHECK (lane < ${lanes}));
CREATE INDEX ${name:_by_lane} ON ${table:} (lane);
INSERT INTO ${table:_lane} (lane, epoch) VALUES ${lane_rows};
