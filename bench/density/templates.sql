-- What the spans are made of, in a database of its own.
CREATE DATABASE ${own};

-- A row a span of a template; times are nanoseconds since the plan's begin.
CREATE TABLE ${own}.template_rows (
  Row UInt32,
  Template UInt32,
  TemplateDuration UInt64,
  PlanId String,
  Offset Int64,
  Duration Int64,
  TraceId String,
  SpanId String,
  ParentSpanId String,
  SpanName LowCardinality(String),
  SpanKind LowCardinality(String),
  ServiceName LowCardinality(String),
  ResourceAttributes Map(LowCardinality(String), String),
  ScopeName String,
  SpanAttributes Map(LowCardinality(String), String),
  StatusCode LowCardinality(String),
  StatusMessage String,
  EventOffsets Array(Int64),
  EventNames Array(LowCardinality(String)),
  EventAttributes Array(Map(LowCardinality(String), String)),
  LinkTraces Array(String),
  LinkSpans Array(String),
  LinkAttributes Array(Map(LowCardinality(String), String))
) ENGINE = MergeTree ORDER BY Row;

-- Words, of which each text gets some from a place of its own.
CREATE TABLE ${own}.prose ENGINE = MergeTree ORDER BY tuple() AS
WITH splitByChar(' ', 'the of to in for a and is on with plan step search result page hotel station flight price night river museum train day weather form select compare cheapest rating breakfast centre booking traveller airport minutes walk euros policy risk nothing shared user account confirm review next found three between morning evening Lisbon Porto Madrid near no tool answer table report source') AS words
SELECT arrayStringConcat(groupArray(words[1 + cityHash64(number) % length(words)]), ' ') AS Text
FROM numbers(700000);

-- A row a plan that is to be: which template it copies, when it begins, and how much longer it takes.
CREATE TABLE ${own}.plans (
  Plan UInt32,
  Template UInt32,
  Spans UInt32,
  Begin DateTime64(9),
  Pace Float64,
  PlanId String,
  TraceId String
) ENGINE = MergeTree ORDER BY Plan;

-- A row a span that is to be, by when it ends: then it is sent.
CREATE TABLE ${own}.arrivals (
  Arrival DateTime64(9),
  Plan UInt32,
  Row UInt32,
  Begin DateTime64(9),
  Pace Float64
) ENGINE = MergeTree ORDER BY Arrival;
