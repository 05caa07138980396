import { ATTR } from '../../semconv/index.js'
import { factSql, knownSql } from './fact-sql.js'
import { ERROR_SAID } from './role-branch.js'

const of = (kinds: string, value: string): string => `if(Kind IN (${kinds}), ${value}, '')`

/** Other instrumentations' ended spans as `plan_contents` is filled from them, with `${foreign_spans}` left open. */
export const FOREIGN_TOLD = `SELECT
    TraceId,
    PlanId AS OwnPlan,
    if(RootPlanId = PlanId, '', RootPlanId) AS Root,
    Timestamp,
    Duration,
    toString(ServiceName) AS Service,
    ${factSql('plan', ATTR.conversationId)} AS Conversation,
    ${of(`'agent'`, factSql('agent', ATTR.agentName))} AS Agent,
    ${of(`'tool', 'retrieval'`, factSql('tool', ATTR.toolName))} AS Tool,
    ${of(`'llm'`, factSql('llm', ATTR.requestModel))} AS AskedModel,
    ${of(`'llm'`, factSql('llm', ATTR.responseModel))} AS AnsweringModel,
    Facts['${ATTR.errorType}'] AS Error,
    Failed
  FROM (
    SELECT *, ${knownSql(['plan', 'agent', 'tool', 'llm'])} AS Known
    FROM \${foreign_spans}
    WHERE Ended
  )`

/** Those since `{from:Int64}` with the text of their error, with `${database}` and `${of_traces}` left open. */
export const FOREIGN_ERRORS = `SELECT TraceId, PlanId, RootPlanId, concat(Facts['${ATTR.errorType}'], '\\n', ${ERROR_SAID}) AS ErrorText
  FROM \${database}.foreign_spans
  WHERE Timestamp >= fromUnixTimestamp64Nano({from:Int64}) \${of_traces} AND Ended`
