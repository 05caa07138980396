-- Requests that are acknowledged before their spans are in the span tables. The process that accepted the requests of a
-- segment drops the segment when all of its spans are in the span tables. If that process dies, another one stores the
-- spans. On a cluster each server has its own table. Merges are off, because rows are dropped within seconds.
CREATE TABLE IF NOT EXISTS ${database}.otlp_journal (
  Segment String,
  TakenAt DateTime DEFAULT now(),
  Signal LowCardinality(String) DEFAULT 'traces',
  Encoding LowCardinality(String),
  SpanCount UInt32,
  Body String CODEC(LZ4)
) ENGINE = MergeTree
PARTITION BY Segment
ORDER BY tuple()
SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1, old_parts_lifetime = 30;
