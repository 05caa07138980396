-- What plans are found by, and counted by: a row an insert of a plan and trace, with what its spans tell as sets. Another
-- instrumentation's trace is a plan whose id is its own. Every column is min, max, argMax or a set, so that a span that comes twice
-- changes nothing.
CREATE TABLE IF NOT EXISTS ${database}.plan_contents (
  TraceId String CODEC(ZSTD(1)),
  PlanId String CODEC(ZSTD(1)),
  -- '' for a plan that is its own root
  RootPlanId SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  Start SimpleAggregateFunction(min, DateTime64(9)) CODEC(ZSTD(1)),
  End SimpleAggregateFunction(max, DateTime64(9)) CODEC(ZSTD(1)),
  Agents SimpleAggregateFunction(groupUniqArrayArray, Array(String)) CODEC(ZSTD(1)),
  Tools SimpleAggregateFunction(groupUniqArrayArray, Array(String)) CODEC(ZSTD(1)),
  -- asked for or answering
  Models SimpleAggregateFunction(groupUniqArrayArray, Array(String)) CODEC(ZSTD(1)),
  ErrorTypes SimpleAggregateFunction(groupUniqArrayArray, Array(String)) CODEC(ZSTD(1)),
  Services SimpleAggregateFunction(groupUniqArrayArray, Array(String)) CODEC(ZSTD(1)),
  Conversations SimpleAggregateFunction(groupUniqArrayArray, Array(String)) CODEC(ZSTD(1)),
  HasError SimpleAggregateFunction(max, UInt8),
  -- the highest risk
  Risk SimpleAggregateFunction(max, Nullable(Float64)) CODEC(ZSTD(1)),
  -- the beginning of its answer, of the latest row of its own span that tells one
  Answer AggregateFunction(argMax, String, UInt64) CODEC(ZSTD(1))
) ENGINE = AggregatingMergeTree
PARTITION BY toStartOfWeek(Start)
ORDER BY (toStartOfHour(Start), TraceId, PlanId)
SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000;

-- Of a trace without a plan, the root alone may answer for it.
CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.plan_contents_mv TO ${database}.plan_contents AS
SELECT
  TraceId,
  if(OwnPlan = '', TraceId, OwnPlan) AS PlanId,
  max(Root) AS RootPlanId,
  min(Timestamp) AS Start,
  max(EndsAt) AS End,
  groupUniqArrayIf(Agent, Agent != '') AS Agents,
  groupUniqArrayIf(Tool, Tool != '') AS Tools,
  groupUniqArrayArray(arrayFilter(model -> model != '', AllModels)) AS Models,
  groupUniqArrayIf(Error, Error != '') AS ErrorTypes,
  groupUniqArrayIf(Service, OwnPlan != '') AS Services,
  groupUniqArrayIf(Conversation, Conversation != '') AS Conversations,
  max(Failed) AS HasError,
  max(Score) AS Risk,
  argMaxState(Said, if(Said = '', 0, Rank)::UInt64) AS Answer
FROM (
  SELECT
    TraceId,
    Timestamp,
    fromUnixTimestamp64Nano(toUnixTimestamp64Nano(Timestamp) + greatest(toInt64(Duration), 0)) AS EndsAt,
    span.PlanId AS OwnPlan,
    if(span.RootPlanId = span.PlanId, '', span.RootPlanId) AS Root,
    toString(AgentName) AS Agent,
    toString(ToolName) AS Tool,
    [toString(Model), toString(ResponseModel)] AS AllModels,
    toString(ErrorType) AS Error,
    toString(ServiceName) AS Service,
    ConversationId AS Conversation,
    StatusCode = 'Error' AND SpanState != ${PENDING} AS Failed,
    RiskScore AS Score,
    substringUTF8(multiIf(
      span.PlanId = '', ${foreign_answer},
      span.Role = 'plan' OR (span.Role = 'agent' AND span.RecordDialect != ''),
      arrayStringConcat(arrayFilter(said -> said != '', ${own_answers}), '\n'),
      ''
    ), 1, 1000) AS Said,
    toUInt64(toUnixTimestamp64Nano(Timestamp)) * 2 + (SpanState != ${PENDING}) AS Rank
  FROM ${spans} AS span
  WHERE TraceId != ''
    AND (span.PlanId != '' OR (span.Role = '' AND ParentSpanId = '' AND hasAny(mapKeys(SpanAttributes), ${foreign_answer_keys})))
)
GROUP BY TraceId, PlanId;

CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.foreign_contents_mv TO ${database}.plan_contents AS
SELECT
  TraceId,
  OwnPlan AS PlanId,
  max(Root) AS RootPlanId,
  min(Timestamp) AS Start,
  max(fromUnixTimestamp64Nano(toUnixTimestamp64Nano(Timestamp) + greatest(toInt64(Duration), 0))) AS End,
  groupUniqArrayIf(Agent, Agent != '') AS Agents,
  groupUniqArrayIf(Tool, Tool != '') AS Tools,
  groupUniqArrayArray(arrayFilter(model -> model != '', [AskedModel, AnsweringModel])) AS Models,
  groupUniqArrayIf(Error, Error != '') AS ErrorTypes,
  groupUniqArray(Service) AS Services,
  groupUniqArrayIf(Conversation, Conversation != '') AS Conversations,
  max(Failed) AS HasError
FROM (
  ${foreign_told}
)
GROUP BY TraceId, PlanId;
