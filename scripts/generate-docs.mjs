// Writes docs/semantic-conventions.md, the tables in docs/dialects.md and docs/frameworks.md, and the conventions of
// the Python package. With --check, exits with 1 if one is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { generatePlans } from '../dist/generate/index.js'
import * as mapping from '../dist/mapping/index.js'
import * as semconv from '../dist/semconv/index.js'
import { FACT_KINDS, factsOf } from '../dist/mapping/conversion/index.js'
import { DIALECTS } from '../dist/mapping/dialects/index.js'
import { HOMES } from '../dist/mapping/record-object/homes.js'
import {
  bookkeepingFields,
  evaluationFields,
  eventFields,
  everySpanFields,
  exceptionFields,
  recordFields,
  reviewFields,
  ROLE_FIELDS,
} from '../dist/semconv/index.js'
import { ATTR, EVENTS, OPERATIONS, ROLES, SCHEMA_URL, SCHEMA_VERSION, STATES, VERDICTS } from '../dist/semconv/index.js'
import { conventionsGuide } from './conventions-guide.mjs'
import { standardAttributes } from './standard-attributes.mjs'
import { conventionsPage } from './conventions-page.mjs'
import { conversionTable } from './conversion-table.mjs'
import { frameworkResults } from './frameworks-page.mjs'
import { withGeneratedPart } from './generated-part.mjs'
import { pythonConventions } from './python-conventions.mjs'

const PAGE = new URL('../docs/semantic-conventions.md', import.meta.url)
const DIALECTS_PAGE = new URL('../docs/dialects.md', import.meta.url)
const FRAMEWORKS_PAGE = new URL('../docs/frameworks.md', import.meta.url)
const PYTHON = new URL('../packages/python/planspan/_conventions.py', import.meta.url)
const MANIFEST = new URL('../package.json', import.meta.url)
const RESULTS = new URL('../test/frameworks/results.json', import.meta.url)

const ROLE_NOTES = {
  plan: 'One run of a plan or sub-plan. A sub-plan is below the tool call that started it.',
  planning: 'Making or revising the plan.',
  wait: 'A wait for a person: a form, a review of the plan, or an approval of a tool call.',
  agent: 'One agent that works on one step.',
  think_act: 'One think-act cycle.',
  llm: 'One model call: kind CLIENT, and the only span with token usage.',
  guardrail: 'One risk assessment, with the world model’s prediction if there is one.',
  tool: 'One tool call.',
}

const planActEvents = DIALECTS['plan-act:events'].eras
const planActSession = DIALECTS['plan-act:session'].eras

const PLAN_ACT_OBJECTS = {
  entry: 'The object around an event.',
  session: 'The response of `GET /sessions/{id}`.',
  planStep: 'A step in `steps` of a plan event.',
  other: 'The first keys of every event. `planspan.event.data` contains the other keys of an event of an unknown type.',
}

const VOCABULARIES = [
  {
    title: 'plan-execution',
    note: `Eras: A0 to D are JManus (2025-03 to 2025-09), E and F Lynxe; a plus is a release that added keys. \`live\` is planspan’s
own format for live plans.`,
    eras: DIALECTS['plan-execution'].eras,
  },
  {
    title: 'trajectory',
    note: 'SafePred’s execution_trajectory.json. Eras: `nested`, as SafePred writes it; `flat`, as its documentation proposes.',
    eras: DIALECTS.trajectory.eras,
    objects: {
      planUpdate: '`safety_info.plan_update` of a step.',
      worldModelOutput: '`world_model_output` of a step.',
      assessment: '`safety_info.action_N` of a step, as SafePred writes it.',
      alignment: 'The same, as HarmonyGuard and Reactive write it.',
      usage: '`token_usage` of a step, and of its guardrails.',
      result: 'One of the `action_results` of a step.',
      error: '`error` of a result that is not a text.',
      stepError: 'One of the `errors` of a step.',
    },
  },
  {
    title: 'trajectory:traj',
    note: 'SafePred’s traj.jsonl.',
    eras: DIALECTS['trajectory:traj'].eras,
    objects: { crash: 'The last line of a crashed run.' },
  },
  {
    title: 'review-log',
    note: 'PlanRunRecord of a planner. The era is the version of its schema.',
    eras: DIALECTS['review-log'].eras,
    objects: { researcher: '`telemetry.researcher` of a run.', call: 'One of the `calls` of a researcher.' },
  },
  {
    title: 'plan-act, the domain’s vocabulary',
    note: 'The events of `plan-act:events`, as entries of a Redis stream or bare.',
    eras: { redis: planActEvents.redis, domain: planActEvents.domain },
    objects: PLAN_ACT_OBJECTS,
  },
  {
    title: 'plan-act, the interface’s vocabulary',
    note: `The events as the server sends them to its clients: \`plan-act:sse\`, \`plan-act:session\`, and the WebSocket frames of
\`plan-act:events\`. \`plan-act:sse\` has no session around the events.`,
    eras: { ...planActSession, websocket: planActEvents.websocket },
    objects: PLAN_ACT_OBJECTS,
  },
  {
    title: 'atif',
    note: `The Agent Trajectory Interchange Format, as Harbor and the package \`atif\` write it. planspan writes any plan in this format,
in the order of Harbor’s keys.`,
    eras: { harbor: DIALECTS.atif.eras.harbor, package: DIALECTS.atif.eras.package },
    objects: {
      message: 'A step of the user or the system, on an event of the plan span.',
      toolCall: 'One of the `tool_calls` of a step.',
      result: 'One of the results of tool calls in `observation` of a step.',
    },
  },
]

const page = conventionsPage({
  version: SCHEMA_VERSION,
  schemaUrl: SCHEMA_URL,
  guide: `${conventionsGuide}\n${standardAttributes}`,
  words: {
    [`States (\`${ATTR.state}\`)`]: STATES,
    'Verdicts on a rebuilt record': VERDICTS,
    'Span events': Object.values(EVENTS),
  },
  everySpan: everySpanFields,
  required: [ATTR.spanKind, ATTR.planId, ATTR.planRootId],
  roles: Object.fromEntries(
    ROLES.map((role) => [role, { operation: OPERATIONS[role], note: ROLE_NOTES[role], fields: ROLE_FIELDS[role] }]),
  ),
  others: {
    'Span events': eventFields,
    [`Span event \`${EVENTS.exception}\``]: exceptionFields,
    [`Span event \`${EVENTS.evaluation}\``]: evaluationFields,
    [`Span event \`${EVENTS.review}\``]: reviewFields,
    'The root span of an imported record': recordFields,
    Bookkeeping: bookkeepingFields,
  },
  homes: HOMES,
  vocabularies: VOCABULARIES,
})

const fresh = [
  [PAGE, page],
  [PYTHON, pythonConventions(JSON.parse(readFileSync(MANIFEST, 'utf8')).version)],
  [
    DIALECTS_PAGE,
    withGeneratedPart(
      readFileSync(DIALECTS_PAGE, 'utf8'),
      'conversions',
      conversionTable({ mapping, conversion: { FACT_KINDS, factsOf }, semconv, generatePlans }),
    ),
  ],
  [
    FRAMEWORKS_PAGE,
    withGeneratedPart(
      readFileSync(FRAMEWORKS_PAGE, 'utf8'),
      'results',
      frameworkResults(JSON.parse(readFileSync(RESULTS, 'utf8'))),
    ),
  ],
]
for (const [url, text] of fresh) {
  if (!process.argv.includes('--check')) writeFileSync(url, text)
  else if (readFileSync(url, 'utf8') !== text) {
    console.error(`${url.pathname} is not fresh: run \`npm run docs\`.`)
    process.exitCode = 1
  }
}
