import { ATTR } from '../../semconv/index.js'
import { factSql, knownSql } from './fact-sql.js'

const count = (key: string): string => `toInt64OrNull(${factSql('llm', key)})`

/**
 * Other instrumentations' ended spans in the columns of `fragments/priced_spans.sql`, with `${database}` left open.
 * What tells a model call of planspan's own again is that call; not the status alone tells of an error.
 */
export const foreignFigured = (among: string): string => `SELECT
      TraceId,
      PlanId,
      RootPlanId,
      SpanId,
      ParentSpanId,
      Failed AS HasError,
      if(Kind = 'llm' AND Facts['${ATTR.within}'] != 'llm', 'llm', '') AS Role,
      CAST(NULL, 'Nullable(Float64)') AS RiskScore,
      false AS IsUnsafe,
      if(${factSql('llm', ATTR.requestModel)} AS Asked != '', Asked, ${factSql('llm', ATTR.responseModel)}) AS PricedModel,
      ${count(ATTR.usageInputTokens)} AS InputTokens,
      ${count(ATTR.usageOutputTokens)} AS OutputTokens,
      ${count(ATTR.usageCacheReadTokens)} AS CacheReadTokens,
      ${count(ATTR.usageCacheWriteTokens)} AS CacheWriteTokens,
      if(isNull(InputTokens) AND isNull(OutputTokens), NULL, ifNull(InputTokens, 0) + ifNull(OutputTokens, 0)) AS TotalTokens
    FROM (
      SELECT *, ${knownSql(['llm'])} AS Known
      FROM \${database}.foreign_spans
      WHERE Ended AND ${among}
    )`
