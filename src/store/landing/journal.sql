-- Requests that are acknowledged before their spans are in the tables for spans, to which they are on the way. Whoever took them
-- drops a segment once all of it is there; if that one dies, another puts them there. Each server keeps what it took itself.
-- Nothing is merged, since no row stays for long.
CREATE TABLE IF NOT EXISTS ${database}.otlp_journal (
  Segment String,
  TakenAt DateTime DEFAULT now(),
  Encoding LowCardinality(String),
  SpanCount UInt32,
  Body String CODEC(LZ4)
) ENGINE = MergeTree
PARTITION BY Segment
ORDER BY tuple()
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1, old_parts_lifetime = 30;
