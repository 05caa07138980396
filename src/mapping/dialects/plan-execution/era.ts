import { numberIdForm, textForm, type Form } from '../../form.js'
import type { JsonStyle } from '../../json/style.js'
import { arrayTimeForm, isoTimeForm } from './form.js'
import type { EraForm, ObjectKind } from './properties.js'

/** How one generation of JManus or Lynxe writes its records. */
export interface Era {
  /** The keys of each object, in the order of the canonical writing. */
  readonly keys: Readonly<Record<ObjectKind, readonly string[]>>
  /** Whether a key without a value stands as null or is left out. */
  readonly nulls: 'written' | 'omitted'
  readonly forms: Readonly<Record<EraForm, Form>>
  readonly style: JsonStyle
  /** Agent keys that Lynxe's getters leak: computed, never stored. */
  readonly derivedAgentKeys: readonly string[]
  /** Whether a cycle names its first tool in `toolName` and `toolParameters`. */
  readonly firstTool: boolean
  /** Where sub-plans stand: with their agent, or one with each cycle. */
  readonly subPlans: 'agent' | 'cycle'
}

const words = (text: string): string[] => text.trim().split(/\s+/)

const JACKSON: JsonStyle = { upper: true }
const tool = words('name parameters result id')
const wait = words('planId title waiting formDescription formInputs')
const thinkAct = words(`id parentExecutionId thinkStartTime thinkEndTime actStartTime actEndTime thinkInput thinkOutput
  actionNeeded actionDescription actionResult status errorMessage`)
const firstTool = words('toolName toolParameters')
const charCounts = words('inputCharCount outputCharCount')

// Written by hand: what is null or empty is left out.
const planA = words('id planId title userRequest startTime endTime currentStepIndex completed summary steps')
const A0: Era = {
  keys: {
    plan: [
      ...words('id planId title userRequest startTime endTime currentStepIndex progress completed summary steps'),
      ...words('stepStatuses stepAgents agentExecutionSequence statusCounts'),
    ],
    agent: words(`id conversationId agentName agentDescription startTime endTime maxSteps currentStep status isCompleted
      isStuck agentRequest result errorMessage thinkActSteps`),
    thinkAct: [...thinkAct, ...firstTool],
    tool: [],
    wait: [],
  },
  nulls: 'omitted',
  forms: { id: textForm, time: isoTimeForm },
  style: {},
  derivedAgentKeys: [],
  firstTool: true,
  subPlans: 'agent',
}
const A1: Era = { ...A0, keys: { ...A0.keys, plan: [...planA, 'agentExecutionSequence'] } }
const A: Era = { ...A1, forms: { id: numberIdForm, time: isoTimeForm } }

// Written by Jackson from here on, which puts nulls.
const agentB =
  words(`agentName agentDescription startTime endTime maxSteps currentStep status thinkActSteps agentRequest
  result errorMessage`)
const B: Era = {
  ...A,
  keys: {
    plan: words(`id planId title userRequest startTime endTime steps currentStepIndex completed summary
      agentExecutionSequence userInputWaitState`),
    agent: ['id', ...agentB, ...words('completed stuck')],
    thinkAct: [...thinkAct, ...firstTool],
    tool,
    wait,
  },
  nulls: 'written',
  style: JACKSON,
}
const planC =
  words(`id currentPlanId rootPlanId thinkActRecordId title userRequest startTime endTime steps currentStepIndex
  completed summary agentExecutionSequence userInputWaitState`)
const C: Era = {
  ...B,
  keys: { ...B.keys, plan: planC, thinkAct: [...thinkAct, ...firstTool, 'subPlanExecutionRecord'] },
  subPlans: 'cycle',
}
const listedC: Era = {
  ...C,
  keys: {
    ...C.keys,
    plan: [...planC, 'modelName'],
    agent: ['id', 'conversationId', ...agentB, ...words('modelName completed stuck')],
    thinkAct: [...C.keys.thinkAct, 'actToolInfoList'],
  },
}
const enumC: Era = {
  ...listedC,
  keys: { ...listedC.keys, agent: listedC.keys.agent.filter((key) => key !== 'completed' && key !== 'stuck') },
}
const D: Era = { ...enumC, forms: { id: numberIdForm, time: arrayTimeForm } }

const planE = words(`id currentPlanId rootPlanId parentPlanId toolCallId title userRequest startTime endTime
  currentStepIndex completed summary agentExecutionSequence userInputWaitState modelName parentActToolCall`)
const agentE = words(`id stepId conversationId agentName agentDescription startTime endTime maxSteps currentStep status
  agentRequest result errorMessage modelName`)
const subPlansE = words('thinkActSteps subPlanExecutionRecords')
const derivedAgentKeys = words('completed subPlanCount running idle completedThinkActStepsCount')
const E: Era = {
  ...D,
  keys: {
    ...D.keys,
    plan: planE,
    agent: [...agentE, ...subPlansE, ...derivedAgentKeys],
    thinkAct: [...thinkAct, ...firstTool, 'actToolInfoList'],
  },
  derivedAgentKeys,
  firstTool: false,
  subPlans: 'agent',
}
const resultE: Era = { ...E, keys: { ...E.keys, plan: [...planE, 'structureResult'] } }
const countsE: Era = {
  ...resultE,
  keys: { ...resultE.keys, thinkAct: [...thinkAct, ...charCounts, ...firstTool, 'actToolInfoList'] },
}
const latestMethod = words('latestMethodName latestMethodArgs latestRoundNumber')
const F: Era = {
  ...countsE,
  keys: {
    ...countsE.keys,
    agent: [...agentE, ...latestMethod, ...subPlansE, ...derivedAgentKeys],
    thinkAct: [...thinkAct, ...charCounts, 'modelContextLimit', ...firstTool, 'actToolInfoList'],
  },
}
const live: Era = {
  ...F,
  keys: {
    ...F.keys,
    plan: ['id', 'planId', ...F.keys.plan.slice(1), ...words('steps planspan')],
    agent: [...F.keys.agent, 'planspan'],
    thinkAct: [...F.keys.thinkAct, 'planspan'],
  },
  forms: { id: numberIdForm, time: isoTimeForm },
  style: {},
  firstTool: true,
}

/**
 * The eras of JManus (A to D) and Lynxe (E, F) by their letters; a plus is a release that added keys. `live` is
 * planspan's own writing of a live plan.
 *
 * @see https://github.com/spring-ai-alibaba/Lynxe
 */
export const ERAS = {
  A0,
  A,
  A1,
  B,
  C,
  'C+': listedC,
  'C++': enumC,
  D,
  E,
  'E+': resultE,
  'E++': countsE,
  F,
  live,
} as const satisfies Record<string, Era>

export type EraName = keyof typeof ERAS
