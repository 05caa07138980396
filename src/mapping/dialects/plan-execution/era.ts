import type { JsonStyle } from '../../json/style.js'
import { arrayTimeForm, isoTimeForm, numberIdForm, type Form } from './form.js'
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
}

const words = (text: string): string[] => text.trim().split(/\s+/)

const toolKeys = words('name parameters result id')
const waitKeys = words('planId title waiting formDescription formInputs')
const derivedAgentKeys = words('completed subPlanCount running idle completedThinkActStepsCount')

const lynxePlan = words(`id currentPlanId rootPlanId parentPlanId toolCallId title userRequest startTime endTime
  currentStepIndex completed summary agentExecutionSequence userInputWaitState modelName parentActToolCall
  structureResult`)
const lynxeAgentHead = words(`id stepId conversationId agentName agentDescription startTime endTime maxSteps currentStep
  status agentRequest result errorMessage modelName`)
const lynxeAgentTail = [...words('thinkActSteps subPlanExecutionRecords'), ...derivedAgentKeys]
const latestMethod = words('latestMethodName latestMethodArgs latestRoundNumber')
const thinkActHead = words(`id parentExecutionId thinkStartTime thinkEndTime actStartTime actEndTime thinkInput
  thinkOutput actionNeeded actionDescription actionResult status errorMessage`)
const charCounts = words('inputCharCount outputCharCount')
const thinkActTail = words('toolName toolParameters actToolInfoList')
const firstToolKeys = words('toolName toolParameters')

const lynxeForms = { id: numberIdForm, time: arrayTimeForm }
const JACKSON: JsonStyle = { upper: true }
const isoForms = { id: numberIdForm, time: isoTimeForm }

/** `live` is planspan's own writing of a live plan; the letters are the eras of JManus and Lynxe. */
export const ERAS = {
  A: {
    keys: {
      plan: words(`id planId title userRequest startTime endTime currentStepIndex completed summary steps
        agentExecutionSequence`),
      agent:
        words(`id conversationId agentName agentDescription startTime endTime maxSteps currentStep status isCompleted
        isStuck agentRequest result errorMessage thinkActSteps`),
      thinkAct: [...thinkActHead, ...firstToolKeys],
      tool: toolKeys,
      wait: [],
    },
    nulls: 'omitted',
    forms: isoForms,
    style: {},
    derivedAgentKeys: [],
    firstTool: true,
  },
  B: {
    keys: {
      plan: words(`id planId title userRequest startTime endTime steps currentStepIndex completed summary
        agentExecutionSequence userInputWaitState`),
      agent:
        words(`id agentName agentDescription startTime endTime maxSteps currentStep status thinkActSteps agentRequest
        result errorMessage completed stuck`),
      thinkAct: [...thinkActHead, ...firstToolKeys],
      tool: toolKeys,
      wait: waitKeys,
    },
    nulls: 'written',
    forms: isoForms,
    style: JACKSON,
    derivedAgentKeys: [],
    firstTool: true,
  },
  E: {
    keys: {
      plan: lynxePlan,
      agent: [...lynxeAgentHead, ...lynxeAgentTail],
      thinkAct: [...thinkActHead, ...charCounts, ...thinkActTail],
      tool: toolKeys,
      wait: waitKeys,
    },
    nulls: 'written',
    forms: lynxeForms,
    style: JACKSON,
    derivedAgentKeys,
    firstTool: false,
  },
  F: {
    keys: {
      plan: lynxePlan,
      agent: [...lynxeAgentHead, ...latestMethod, ...lynxeAgentTail],
      thinkAct: [...thinkActHead, ...charCounts, 'modelContextLimit', ...thinkActTail],
      tool: toolKeys,
      wait: waitKeys,
    },
    nulls: 'written',
    forms: lynxeForms,
    style: JACKSON,
    derivedAgentKeys,
    firstTool: false,
  },
  live: {
    keys: {
      plan: [...words('id planId'), ...lynxePlan.slice(1), ...words('steps planspan')],
      agent: [...lynxeAgentHead, ...latestMethod, ...lynxeAgentTail, 'planspan'],
      thinkAct: [...thinkActHead, ...charCounts, 'modelContextLimit', ...thinkActTail, 'planspan'],
      tool: toolKeys,
      wait: waitKeys,
    },
    nulls: 'written',
    forms: isoForms,
    style: {},
    derivedAgentKeys,
    firstTool: true,
  },
} as const satisfies Record<string, Era>

export type EraName = keyof typeof ERAS
