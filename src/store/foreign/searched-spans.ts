import { ATTR } from '../../semconv/index.js'
import { factSql, knownSql } from './fact-sql.js'
import { ERROR_SAID } from './role-branch.js'

const of = (kinds: string, value: string): string => `if(Kind IN (${kinds}), ${value}, '')`

/** Other instrumentations' spans in the columns by which plans are searched, with `${database}` left open. */
export const FOREIGN_SEARCHED = `SELECT
  TraceId,
  PlanId,
  RootPlanId,
  ServiceName,
  ${factSql('plan', ATTR.conversationId)} AS ConversationId,
  ${of(`'agent'`, factSql('agent', ATTR.agentName))} AS AgentName,
  ${of(`'tool', 'retrieval'`, factSql('tool', ATTR.toolName))} AS ToolName,
  ${of(`'llm'`, factSql('llm', ATTR.requestModel))} AS Model,
  ${of(`'llm'`, factSql('llm', ATTR.responseModel))} AS ResponseModel,
  Facts['${ATTR.errorType}'] AS ErrorType,
  concat(ErrorType, '\\n', ${ERROR_SAID}) AS ErrorText,
  Failed AS HasError
FROM (
  SELECT *, ${knownSql(['plan', 'agent', 'tool', 'llm'])} AS Known
  FROM \${database}.foreign_spans
  WHERE Timestamp >= fromUnixTimestamp64Nano({from:Int64}) AND Ended
)`
