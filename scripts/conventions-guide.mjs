// The prose of docs/semantic-conventions.md: how to write a plan's spans without planspan's own library.
import { ATTR, EVENTS, LINK_TYPES, OPERATIONS, PENDING, ROLES, SPAN_TYPES } from '../dist/semconv/index.js'

/** @param {string} text */
const code = (text) => `\`${text}\``
/** @param {readonly string[]} texts */
const codes = (...texts) => texts.map(code).join(', ')

/** The most important attributes of each role, and the attribute that ends the name of its span. */
const SHOWN = {
  plan: {
    subject: ATTR.agentName,
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

A plan is a trace of ordinary spans. Any OpenTelemetry SDK can create them, and any OTLP exporter can send them to \`planspan serve\` or to a
collector. The program needs no code of planspan. [Go](../examples/go) and [Java](../examples/java) each have a quick start, and a program
whose plan is visible while it runs. In JavaScript, planspan's live API does all of this, and in Python the package
[planspan](../packages/python), whose names and attributes are generated from the tables below.

### Required

| on every span of a plan | value |
| --- | --- |
| the span's name | the operation of its role and, after a space, its subject, as in the table below; never a title, a request or an id |
| ${code(ATTR.spanKind)} | its role |
| ${code(ATTR.planId)} | the id of its plan, unique over all plans |
| ${code(ATTR.planRootId)} | the id of the outermost plan: the same as ${code(ATTR.planId)}, except in a sub-plan |

Set these attributes when the span starts, because samplers and span processors do not see later ones. All spans of a plan and its
sub-plans are in one trace.

For viewers of other makers, set ${code(ATTR.operationName)} to the operation, and ${code(ATTR.openinferenceSpanKind)} to the role in the
words of OpenInference: ${ROLES.map((role) => `${code(SPAN_TYPES[role])} for ${code(role)}`).join(', ')}.
Phoenix and Langfuse decide by the latter and show these kinds, Jaeger by the former: it shows plans and agents as agents, and marks model
calls and tool calls. Phoenix 20.26 and Langfuse's mapper were tried, Jaeger's code was read. A guardrail must not have
${code(ATTR.toolName)}: Jaeger shows each span with it as a tool call.

Every other attribute is optional: omit unknown values. Times are the times of the spans. The tables below list the type of each attribute:
JSON is text that contains JSON, \`string[]\` is an array of strings.

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

Spans of other instrumentations may be in between. An agent without cycles may have its tool calls directly below it.
A sub-plan has its own plan id. ${code(ATTR.planParentId)} is the id of its parent plan, and
${code(ATTR.planParentToolCallId)} is the ${code(ATTR.toolCallId)} of the call that started it.

| role | span name | most important attributes |
| --- | --- | --- |
${roleRows.join('\n')}

Set ${code(ATTR.agentName)} on everything below an agent, so that views find its tokens, tools and risks. Siblings of a role are ordered by
${code(ATTR.seq)}, else by their starts. ${code(`${ATTR.childrenPrefix}<role>`)} is the number of a span's children of a role: while one of these
children is missing, the record is \`partial\`.

### Messages

${code(ATTR.inputMessages)} and ${code(ATTR.outputMessages)} are JSON text in the format of the GenAI conventions: a list of messages
with parts.

\`\`\`json
[{"role": "user", "parts": [{"type": "text", "content": "How warm is it?"}]}]
\`\`\`

Requests have the role \`user\`, answers the role \`assistant\`. A record shows the content of the \`text\` parts. Further parts of a model
call are \`{"type": "reasoning", "content"}\`, \`{"type": "tool_call", "id", "name", "arguments"}\` and
\`{"type": "tool_call_response", "id", "response"}\`. ${code(ATTR.toolCallArguments)} and ${code(ATTR.toolCallResult)} are
unchanged text, which may be JSON.

### States and errors

An ended span is \`completed\`, or \`failed\` if its status is ERROR. Set ${code(ATTR.state)} only for another state:
\`cancelled\`, \`interrupted\`, or \`waiting\` for a plan that was suspended. On an error, set the status to ERROR. planspan reads the error's
class and message from ${code(ATTR.errorType)} and ${code(ATTR.errorMessage)}, else from the event ${code(EVENTS.exception)} that SDKs record, else
from the status's description. Views show ${code(ATTR.errorType)}.

### Reviews

A decision on a plan is an event ${code(EVENTS.review)} on the plan's span, with ${code(ATTR.reviewAttempt)},
${code(ATTR.reviewAction)}, ${code(ATTR.reviewFeedback)} and ${code(ATTR.waitActor)}. Records and views read these events. A list of
reviews on the plan's span, ${code(ATTR.reviewLog)}, takes precedence; the live API writes both. A wait for the review may repeat these
attributes, but without an event they are not a review. After an \`ABORT\`, set the plan's state to \`cancelled\`.

### Links

| from | to | ${code(ATTR.linkType)} |
| --- | --- | --- |
| a tool call | the guardrail that judged it | ${code(LINK_TYPES.guards)} |
| a later segment of a plan, or of a wait | the earlier segment | ${code(LINK_TYPES.resumedFrom)} |

Without links, a guardrail judges the tool calls of its cycle that start after it. A later segment of a plan is a plan span in the same
trace with the same plan id, a child of the earlier segment. ${code(ATTR.planSegment)} numbers the segments from 0; planspan uses this number,
and other readers can use the link.

### While a plan runs

A span is exported when it ends. To show a plan earlier, send snapshots. A snapshot is an ended span with its own id, below the open span,
with the name, kind, start and all current values of the open span, and with ${code(ATTR.spanState)} = ${code(PENDING)} and
${codes(ATTR.pendingSpanId, ATTR.pendingParentSpanId, ATTR.snapshotSeq)}.
Spans of other instrumentations between the spans of a plan need snapshots, too, so that lower spans keep their places.
A plan's ${code(ATTR.heartbeatIntervalMs)} is the time for which its process may be silent.
[plans-in-flight.md](plans-in-flight.md) has the details. Copy the span processors beside the quick starts in Go and Java.
`
