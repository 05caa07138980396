import type { Era } from '../dialect.js'
import { numberIdForm, textForm, recordObject, type Writing } from '../../record-object/index.js'
import type { JsonStyle } from '../../json/index.js'
import { arrayTimeForm } from './java-forms.js'
import { JMANUS, LIVE, LYNXE } from './properties.js'

type Objects = typeof JMANUS | typeof LYNXE | typeof LIVE

export type ObjectKind = keyof Objects

/** How one generation of JManus or Lynxe writes its records. */
interface Generation {
  readonly objects: Objects
  /** The keys of each object, in the order of the canonical writing. */
  readonly keys: { readonly [Kind in ObjectKind]: readonly (keyof Objects[Kind])[] }
  readonly writing: Writing
  readonly style: JsonStyle
}

type Words<Text extends string, Found = never> = Text extends `${infer Word} ${infer Rest}`
  ? Words<Rest, Found | Word>
  : Found | Text

/** Returns the words of texts, with their literal types. */
const words = <const Text extends string>(...texts: Text[]): Words<Text>[] =>
  texts.join(' ').split(' ') as Words<Text>[]

const JACKSON: JsonStyle = { upper: true }
const tool = words('name parameters result id')
const wait = words('planId title waiting formDescription formInputs')
const thinkAct = words(
  'id parentExecutionId thinkStartTime thinkEndTime actStartTime actEndTime thinkInput thinkOutput',
  'actionNeeded actionDescription actionResult status errorMessage',
)
const firstTool = words('toolName toolParameters')
const charCounts = words('inputCharCount outputCharCount')

// Written by hand: nulls and empty values are left out.
const A0: Generation = {
  objects: JMANUS,
  keys: {
    plan: words(
      'id planId title userRequest startTime endTime currentStepIndex progress completed summary steps',
      'stepStatuses stepAgents agentExecutionSequence statusCounts',
    ),
    agent: words(
      'id conversationId agentName agentDescription startTime endTime maxSteps currentStep status isCompleted isStuck',
      'agentRequest result errorMessage thinkActSteps',
    ),
    thinkAct: [...thinkAct, ...firstTool],
    tool: [],
    wait: [],
  },
  writing: { nulls: 'omitted', emptyLists: 'omitted', forms: { id: textForm, time: textForm } },
  style: {},
}
const planA = words(
  'id planId title userRequest startTime endTime currentStepIndex completed summary steps agentExecutionSequence',
)
const A1: Generation = { ...A0, keys: { ...A0.keys, plan: planA } }
const A: Generation = { ...A1, writing: { ...A1.writing, forms: { id: numberIdForm, time: textForm } } }

// Written by Jackson from here on, with nulls.
const agentB = words(
  'agentName agentDescription startTime endTime maxSteps currentStep status thinkActSteps agentRequest result',
  'errorMessage',
)
const B: Generation = {
  ...A,
  keys: {
    plan: words(
      'id planId title userRequest startTime endTime steps currentStepIndex completed summary agentExecutionSequence',
      'userInputWaitState',
    ),
    agent: ['id', ...agentB, 'completed', 'stuck'],
    thinkAct: [...thinkAct, ...firstTool],
    tool,
    wait,
  },
  writing: { nulls: 'written', forms: { id: numberIdForm, time: textForm } },
  style: JACKSON,
}
const planC = words(
  'id currentPlanId rootPlanId thinkActRecordId title userRequest startTime endTime steps currentStepIndex completed',
  'summary agentExecutionSequence userInputWaitState',
)
const thinkActC = words('toolName toolParameters subPlanExecutionRecord')
const C: Generation = { ...B, keys: { ...B.keys, plan: planC, thinkAct: [...thinkAct, ...thinkActC] } }
const agentC = [...words('id conversationId'), ...agentB, 'modelName'] as const
const listedC: Generation = {
  ...C,
  keys: {
    ...C.keys,
    plan: [...planC, 'modelName'],
    agent: [...agentC, 'completed', 'stuck'],
    thinkAct: [...thinkAct, ...thinkActC, 'actToolInfoList'],
  },
}
const enumC: Generation = { ...listedC, keys: { ...listedC.keys, agent: agentC } }
const ARRAY_TIMES: Writing = { nulls: 'written', forms: { id: numberIdForm, time: arrayTimeForm } }
const D: Generation = { ...enumC, writing: ARRAY_TIMES }

const planE = words(
  'id currentPlanId rootPlanId parentPlanId toolCallId title userRequest startTime endTime currentStepIndex completed',
  'summary agentExecutionSequence userInputWaitState modelName parentActToolCall',
)
const agentE = words(
  'id stepId conversationId agentName agentDescription startTime endTime maxSteps currentStep status agentRequest',
  'result errorMessage modelName',
)
const belowAgentE = words(
  'thinkActSteps subPlanExecutionRecords completed subPlanCount running idle completedThinkActStepsCount',
)
const E: Generation = {
  ...D,
  objects: LYNXE,
  keys: {
    ...D.keys,
    plan: planE,
    agent: [...agentE, ...belowAgentE],
    thinkAct: [...thinkAct, ...firstTool, 'actToolInfoList'],
  },
}
const resultE: Generation = { ...E, keys: { ...E.keys, plan: [...planE, 'structureResult'] } }
const countsE: Generation = {
  ...resultE,
  keys: { ...resultE.keys, thinkAct: [...thinkAct, ...charCounts, ...firstTool, 'actToolInfoList'] },
}
const latestMethod = words('latestMethodName latestMethodArgs latestRoundNumber')
const F: Generation = {
  ...countsE,
  keys: {
    ...countsE.keys,
    agent: [...agentE, ...latestMethod, ...belowAgentE],
    thinkAct: [...thinkAct, ...charCounts, 'modelContextLimit', ...firstTool, 'actToolInfoList'],
  },
}
const live: Generation = {
  objects: LIVE,
  keys: {
    ...F.keys,
    plan: ['id', 'planId', ...F.keys.plan.slice(1), 'steps', 'planspan'],
    agent: [...F.keys.agent, 'planspan'],
    thinkAct: [...F.keys.thinkAct, 'planspan'],
    tool: [...F.keys.tool, 'planspan'],
  },
  writing: { nulls: 'written', forms: { id: numberIdForm, time: textForm } },
  style: {},
}

const makeEra = ({ objects, keys, writing, style }: Generation) => ({
  objects: {
    plan: recordObject('plan', objects.plan, writing, keys.plan),
    agent: recordObject('agent', objects.agent, writing, keys.agent),
    thinkAct: recordObject('think_act', objects.thinkAct, writing, keys.thinkAct),
    tool: recordObject('tool', objects.tool, writing, keys.tool),
    wait: recordObject('wait', objects.wait, writing, keys.wait),
  },
  style,
})

/**
 * The eras of JManus (A to D) and Lynxe (E, F) by letter. A plus marks a release that added keys. `live` is planspan's
 * own format of a live plan.
 * @see https://github.com/spring-ai-alibaba/Lynxe
 */
export const ERAS = {
  A0: makeEra(A0),
  A: makeEra(A),
  A1: makeEra(A1),
  B: makeEra(B),
  C: makeEra(C),
  'C+': makeEra(listedC),
  'C++': makeEra(enumC),
  D: makeEra(D),
  E: makeEra(E),
  'E+': makeEra(resultE),
  'E++': makeEra(countsE),
  F: makeEra(F),
  live: makeEra(live),
} as const satisfies Record<string, Era>

export type EraName = keyof typeof ERAS
export type PlanExecutionEra = (typeof ERAS)[EraName]

const isEra = (name: string): name is EraName => Object.hasOwn(ERAS, name)

export const eraNamed = (name: string): PlanExecutionEra => ERAS[isEra(name) ? name : 'F']
