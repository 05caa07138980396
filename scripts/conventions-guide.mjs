// The prose of docs/semantic-conventions.md: how to write a plan's spans without planspan's own library.
import { ATTR, EVENTS, LINK_TYPES, OPERATIONS, PENDING, ROLES } from '../dist/semconv/index.js'

/** @param {string} text */
const code = (text) => `\`${text}\``
/** @param {readonly string[]} texts */
const codes = (...texts) => texts.map(code).join(', ')

/** What a record or view shows first of each role, and which attribute its span's name ends with. */
const SHOWN = {
  plan: {
    subject: ATTR.workflowName,
    shown: [ATTR.planTitle, ATTR.inputMessages, ATTR.planSteps, ATTR.planSummary, ATTR.outputMessages],
  },
  planning: { subject: ATTR.agentName, shown: [ATTR.agentName, ATTR.planSteps, ATTR.planRevision] },
  wait: {
    subject: undefined,
    shown: [ATTR.waitReason, ATTR.waitTitle, ATTR.waitFormInputs, ATTR.waitResolution, ATTR.waitActor],
  },
  agent: {
    subject: ATTR.agentName,
    shown: [ATTR.agentName, ATTR.stepIndex, ATTR.stepId, ATTR.inputMessages, ATTR.outputMessages],
  },
  think_act: { subject: ATTR.agentName, shown: [ATTR.stepIndex] },
  llm: {
    subject: ATTR.requestModel,
    shown: [
      ATTR.requestModel,
      ATTR.providerName,
      ATTR.inputMessages,
      ATTR.outputMessages,
      ATTR.usageInputTokens,
      ATTR.usageOutputTokens,
    ],
  },
  guardrail: {
    subject: ATTR.guardrailName,
    shown: [ATTR.guardrailName, ATTR.riskScore, ATTR.riskIsSafe, ATTR.riskViolatedPolicyIds, ATTR.riskExplanation],
  },
  tool: {
    subject: ATTR.toolName,
    shown: [ATTR.toolName, ATTR.toolCallId, ATTR.toolCallArguments, ATTR.toolCallResult],
  },
}

const roleRows = ROLES.map((role) => {
  const { subject, shown } = SHOWN[role]
  const name = subject === undefined ? OPERATIONS[role] : `${OPERATIONS[role]} <${subject}>`
  return `| ${code(role)} | ${code(name)} | ${codes(...shown)} |`
})

export const conventionsGuide = `## Writing spans in any language

A plan is a trace of ordinary spans. Any OpenTelemetry SDK makes them and any OTLP exporter sends them, to \`planspan serve\` or
to a collector; nothing of planspan's runs in the program. There is a quick start and a program whose plan is seen while it
runs in [Python](../examples/python), [Go](../examples/go) and [Java](../examples/java). In JavaScript, planspan's live API does
all of this.

### Required

| on every span of a plan | value |
| --- | --- |
| the span's name | the operation of its role and, after a space, what it runs, as in the table below; never a title, a request or an id |
| ${code(ATTR.spanKind)} | its role |
| ${code(ATTR.planId)} | the id of its plan, unique over all plans |
| ${code(ATTR.planRootId)} | the id of the outermost plan: the same as ${code(ATTR.planId)}, except in a sub-plan |

Give these attributes when the span starts, since samplers and span processors see no later ones. All spans of a plan, its
sub-plans' included, are in one trace.

Every other attribute is optional: leave out what is not known. Times are those of the spans. The type of an attribute is
that of the tables below: JSON is text that holds JSON, \`string[]\` an array of strings.

### Nesting

\`\`\`
plan                    below nothing, or below any span of other instrumentation
├─ planning             making or revising the plan
│   └─ llm
├─ wait                 also below planning, agent, think_act and tool
└─ agent                one for each step
    └─ think_act        one for each cycle
        ├─ llm
        ├─ guardrail
        │   └─ llm      the guardrail's own model call
        └─ tool
            └─ plan     a sub-plan
\`\`\`

Spans of other instrumentation may stand in between. An agent without cycles may have its tool calls right below it.
A sub-plan has a plan id of its own, ${code(ATTR.planParentId)}, the id of the plan above it, and
${code(ATTR.planParentToolCallId)}, the ${code(ATTR.toolCallId)} of the call that started it.

| role | span name | what records and views show first |
| --- | --- | --- |
${roleRows.join('\n')}

${code(ATTR.agentName)} on everything below an agent lets views find its tokens, tools and risks. Siblings of a role are in
the order of ${code(ATTR.seq)}, or else of their starts. With ${code(`${ATTR.childrenPrefix}<role>`)}, the number of a span's children of a
role, a record is \`partial\` while any of them is missing.

### Messages

${code(ATTR.inputMessages)} and ${code(ATTR.outputMessages)} are JSON text in the form of the GenAI conventions: a list of messages
with parts.

\`\`\`json
[{"role": "user", "parts": [{"type": "text", "content": "How warm is it?"}]}]
\`\`\`

Requests have the role \`user\`, answers \`assistant\`. A record shows the content of the \`text\` parts. A model call's other parts
are \`{"type": "reasoning", "content"}\`, \`{"type": "tool_call", "id", "name", "arguments"}\` and
\`{"type": "tool_call_response", "id", "response"}\`. ${code(ATTR.toolCallArguments)} and ${code(ATTR.toolCallResult)} are
text as it is, which may be JSON.

### States and errors

A span that has ended is \`completed\`, or \`failed\` if its status is ERROR. Set ${code(ATTR.state)} only if it is something else:
\`cancelled\`, \`interrupted\`, or \`waiting\` for a plan that was suspended. On an error, set the status to ERROR; the class and
message are those of ${code(ATTR.errorType)} and ${code(ATTR.errorMessage)}, of the event ${code(EVENTS.exception)} that SDKs record, or of the
status's description. Views show ${code(ATTR.errorType)}.

### Reviews

A decision on a plan is an event ${code(EVENTS.review)} on the plan's span, with ${code(ATTR.reviewAttempt)},
${code(ATTR.reviewAction)}, ${code(ATTR.reviewFeedback)} and ${code(ATTR.waitActor)}. Records and views read these events. Where
the plan's span has a list of reviews, ${code(ATTR.reviewLog)}, that comes first; the live API writes both. A wait for the review
may repeat the attributes, for those who look at the wait; alone, they are no review. After an \`ABORT\`, set the plan's
state to \`cancelled\`.

### Links

| on | leads to | ${code(ATTR.linkType)} |
| --- | --- | --- |
| a tool call | the guardrail that judged it | ${code(LINK_TYPES.guards)} |
| a later segment of a plan, or of a wait | the earlier segment | ${code(LINK_TYPES.resumedFrom)} |

Without links, a guardrail judges the tool calls of its cycle that start after it. A later segment of a plan is a plan span
in the same trace with the same plan id, a child of the earlier one, and has ${code(ATTR.planSegment)}, counted from 0. That
number tells segments apart; the link is for other readers.

### While a plan runs

A span is exported when it ends. To show a plan before that, send snapshots: ended spans with ids of their own, below the open
span, with its name, kind, start and everything that it has so far, and with ${code(ATTR.spanState)} = ${code(PENDING)},
${codes(ATTR.pendingSpanId, ATTR.pendingParentSpanId, ATTR.snapshotSeq)}.
Spans of other instrumentation between those of a plan need snapshots, too, to keep the place of those below.
A plan's ${code(ATTR.heartbeatIntervalMs)} says for how long its process may be silent.
[plans-in-flight.md](plans-in-flight.md) has the details. The span processors beside the quick starts are made to be copied.
`
