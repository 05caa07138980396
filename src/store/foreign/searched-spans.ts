import { ATTR } from '../../semconv/index.js'
import { factSql, knownSql } from './fact-sql.js'

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
