import { errorTextOf, isMissingPlan, isUnfinished, type PlanFacts } from '../../mapping/index.js'
import { ATTR, decodeFields, planFields } from '../../semconv/index.js'
import { dateTime, type PlanRowValues } from '../../store/index.js'
import { rawDurationOf, finite, maybeTime, parentIdOf, whole } from './json-values.js'

const LISTED = { listed: 2, 'of trace': 1, part: 0 } as const satisfies Record<PlanFacts['listing'], number>

const { title, request, summary, result } = planFields
const TEXTS = { title, request, summary, result }

/** The maximum lengths of the texts that lists show, and of the searchable answer, characters. */
const SHOWN = 500
const SHOWN_ANSWER = 1_000

const cut = (text: string, length: number): string =>
  text.length <= length ? text : [...text].slice(0, length).join('')

const count = (text: string | undefined): number => {
  const number = Number(text ?? 0)
  return Number.isSafeInteger(number) && number >= 0 && number < 2 ** 32 ? number : 0
}

/** Returns the row of a plan. */
export function planRow(
  facts: PlanFacts,
  { isSuperseded }: { readonly isSuperseded: boolean },
): Omit<PlanRowValues, 'Version' | 'Gone'> {
  const { plan, steps, figures, headline, contents } = facts
  const { head } = plan
  const { attributes, pending } = head.span
  const texts = decodeFields(TEXTS, attributes)
  const { usage, tokensByRole } = figures
  return {
    Timestamp: dateTime(head.span.startTimeUnixNano),
    TraceId: head.span.traceId,
    PlanId: plan.planId,
    RootPlanId: plan.rootPlanId,
    SpanId: head.span.spanId,
    ParentSpanId: parentIdOf(head),
    ServiceName: head.span.serviceName,
    Duration: rawDurationOf(head),
    SpanAttributes: attributes,
    Error: errorTextOf(head),
    State: facts.state,
    InterruptedAt: maybeTime(facts.interruptedAt),
    Ended: !isUnfinished(head),
    LastSeen: dateTime(facts.lastSeen),
    WaitingSince: maybeTime(facts.waitingSince),
    PlanSpan: isMissingPlan(head.span) ? 0 : pending ? 1 : 2,
    Listed: LISTED[facts.listing],
    IsRoot: facts.isRoot,
    Superseded: isSuperseded,
    Role: head.role ?? '',
    Name: (head.role === 'plan' ? attributes[ATTR.agentName] : attributes[ATTR.agentName]) ?? '',
    ShownTitle: cut(texts.title ?? '', SHOWN),
    ShownRequest: cut(texts.request ?? '', SHOWN),
    ShownAnswer: cut([texts.summary, texts.result].filter((text) => text).join('\n'), SHOWN_ANSWER),
    Dialect: attributes[ATTR.recordDialect] ?? '',
    Source: attributes[ATTR.recordSource] ?? '',
    RecordKey: attributes[ATTR.recordKey] ?? '',
    Digest: attributes[ATTR.recordDigest] ?? '',
    RecordSpans: count(attributes[ATTR.recordSpanCount]),
    MappingVersion: Math.min(contents.mappingVersion, 65_535),
    Redacted: contents.isRedacted,
    Convention: attributes[ATTR.adoptedConvention] ?? '',
    StepCount: steps.count,
    StepsBegun: steps.begun,
    StepsCompleted: steps.completed,
    CurrentStep: cut(steps.current, SHOWN),
    ProgressPercent: finite(facts.progressPercent),
    Headline: headline.map(({ text }) => text).join('\n'),
    HeadlineKinds: headline.map(({ kind }) => kind),
    HeadlineSpans: headline.map(({ node }) => node.span.spanId),
    ActivitySince: maybeTime(headline.find(({ kind }) => kind === 'activity')?.node.begun),
    Spans: figures.spans,
    Errors: figures.errors,
    Failures: facts.failures,
    ModelCalls: figures.modelCalls,
    UnpricedCalls: figures.unpricedCalls,
    InputTokens: whole(usage?.inputTokens),
    OutputTokens: whole(usage?.outputTokens),
    TotalTokens: whole(figures.tokens),
    CacheReadTokens: whole(usage?.cacheReadTokens),
    CacheWriteTokens: whole(usage?.cacheWriteTokens),
    ReasoningTokens: whole(usage?.reasoningTokens),
    AgentTokens: whole(tokensByRole.get('agent')),
    WorldModelTokens: whole(tokensByRole.get('world_model')),
    PolicyGuardrailTokens: whole(tokensByRole.get('policy_guardrail')),
    ReactiveGuardrailTokens: whole(tokensByRole.get('reactive_guardrail')),
    CostUsd: finite(figures.costUsd),
    Risk: finite(figures.risk),
    Judged: figures.judged,
    Unsafe: figures.unsafe,
    UnsafeStopped: figures.unsafeStopped,
    UnsafeTaken: figures.unsafeTaken,
    Agents: contents.agents,
    Tools: contents.tools,
    Models: contents.models,
    ErrorTypes: contents.errorTypes,
    Services: contents.services,
    Conversations: contents.conversations,
    ErrorText: contents.errorText,
  }
}
