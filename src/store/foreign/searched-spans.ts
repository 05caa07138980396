import { ATTR } from '../../semconv/index.js'
import { factSql, knownSql } from './fact-sql.js'

const of = (kinds: string, value: string): string => `if(Kind IN (${kinds}), ${value}, '')`
const tokens = (key: string): string => `ifNull(toInt64OrNull(${factSql('llm', key)}), 0)`

/** Other instrumentations' spans in the columns by which plans are searched, with `${database}` left open. */
export const FOREIGN_SEARCHED = `SELECT
  TraceId,
  PlanId,
  RootPlanId,
  SpanId,
  ServiceName,
  ${factSql('plan', ATTR.conversationId)} AS ConversationId,
  if(Kind = 'llm', 'llm', '') AS Role,
  ${of(`'agent'`, factSql('agent', ATTR.agentName))} AS AgentName,
  ${of(`'tool', 'retrieval'`, factSql('tool', ATTR.toolName))} AS ToolName,
  ${of(`'llm'`, factSql('llm', ATTR.requestModel))} AS Model,
  ${of(`'llm'`, factSql('llm', ATTR.responseModel))} AS ResponseModel,
  Facts['${ATTR.errorType}'] AS ErrorType,
  NULL AS RiskScore,
  if(Kind = 'llm', ${tokens(ATTR.usageInputTokens)} + ${tokens(ATTR.usageOutputTokens)}, 0) AS Tokens
FROM (
  SELECT *, ${knownSql(['plan', 'agent', 'tool', 'llm'])} AS Known
  FROM \${database}.foreign_spans
  WHERE Timestamp >= fromUnixTimestamp64Nano({from:Int64}) AND Ended
)`
