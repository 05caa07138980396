import type { everySpanFields, Role, ROLE_FIELDS } from '../../../semconv/index.js'
import { booleanForm, intForm, jsonForm, textForm, textListForm, type Form } from '../../form.js'
import { javaDoubleForm } from './form.js'

/** Ids and times are written differently from era to era; the era says how. */
export type EraForm = 'id' | 'time'

/** Where the value of a record's key lives: a field of a span, and the form it has in JSON. */
export interface Property {
  /** The span, seen from the object's own: itself, its chat child or its first tool call. */
  readonly on: 'self' | 'chat' | 'tool'
  /** The field is one that every span may carry. */
  readonly every: boolean
  readonly field: string
  readonly form: Form | EraForm
}

type EveryField = keyof typeof everySpanFields

const every = (field: EveryField, form: Form | EraForm = textForm): Property => ({
  on: 'self',
  every: true,
  field,
  form,
})

const own =
  <R extends Role>() =>
  (field: keyof (typeof ROLE_FIELDS)[R] & string, form: Form | EraForm = textForm): Property => ({
    on: 'self',
    every: false,
    field,
    form,
  })

const plan = own<'plan'>()
const agent = own<'agent'>()
const thinkAct = own<'think_act'>()
const tool = own<'tool'>()
const wait = own<'wait'>()
const chat = (field: keyof (typeof ROLE_FIELDS)['llm'] & string, form: Form = textForm): Property => ({
  ...own<'llm'>()(field, form),
  on: 'chat',
})
const firstTool = (field: keyof (typeof ROLE_FIELDS)['tool'] & string): Property => ({ ...tool(field), on: 'tool' })

/** The objects of a record, and the keys of each that a span's field stands for. */
export const PROPERTIES = {
  plan: {
    id: every('recordId', 'id'),
    planId: every('planId'),
    currentPlanId: every('planId'),
    rootPlanId: every('rootPlanId'),
    parentPlanId: plan('parentPlanId'),
    toolCallId: plan('parentToolCallId'),
    title: plan('title'),
    userRequest: plan('request'),
    startTime: every('startTime', 'time'),
    endTime: every('endTime', 'time'),
    steps: plan('steps', textListForm),
    currentStepIndex: plan('currentStepIndex', intForm),
    completed: plan('completed', booleanForm),
    summary: plan('summary'),
    modelName: plan('modelName'),
    structureResult: plan('result'),
    thinkActRecordId: plan('parentRecordId', 'id'),
    progress: plan('progress', javaDoubleForm),
    stepStatuses: plan('stepStatuses', textListForm),
    stepAgents: plan('stepAgents', textListForm),
    statusCounts: plan('statusCounts', jsonForm),
  },
  agent: {
    id: every('recordId', 'id'),
    stepId: agent('stepId'),
    conversationId: every('conversationId'),
    agentName: agent('name'),
    agentDescription: agent('description'),
    startTime: every('startTime', 'time'),
    endTime: every('endTime', 'time'),
    maxSteps: agent('maxSteps', intForm),
    currentStep: agent('currentStep', intForm),
    status: every('status'),
    isCompleted: agent('completed', booleanForm),
    isStuck: agent('stuck', booleanForm),
    completed: agent('completed', booleanForm),
    stuck: agent('stuck', booleanForm),
    agentRequest: agent('request'),
    result: agent('result'),
    errorMessage: every('errorMessage'),
    modelName: agent('modelName'),
    latestMethodName: agent('latestMethodName'),
    latestMethodArgs: agent('latestMethodArgs'),
    latestRoundNumber: agent('latestRoundNumber', intForm),
  },
  thinkAct: {
    id: every('recordId', 'id'),
    parentExecutionId: thinkAct('parentRecordId', 'id'),
    thinkStartTime: thinkAct('thinkStartTime', 'time'),
    thinkEndTime: thinkAct('thinkEndTime', 'time'),
    actStartTime: thinkAct('actStartTime', 'time'),
    actEndTime: thinkAct('actEndTime', 'time'),
    thinkInput: chat('input'),
    thinkOutput: chat('output'),
    inputCharCount: chat('inputCharCount', intForm),
    outputCharCount: chat('outputCharCount', intForm),
    actionNeeded: thinkAct('actionNeeded', booleanForm),
    actionDescription: thinkAct('actionDescription'),
    actionResult: thinkAct('actionResult'),
    status: every('status'),
    errorMessage: every('errorMessage'),
    modelContextLimit: thinkAct('modelContextLimit', intForm),
    toolName: firstTool('name'),
    toolParameters: firstTool('arguments'),
  },
  tool: {
    name: tool('name'),
    parameters: tool('arguments'),
    result: tool('result'),
    id: tool('callId'),
  },
  wait: {
    planId: wait('waitPlanId'),
    title: wait('title'),
    waiting: wait('waiting', booleanForm),
    formDescription: wait('formDescription'),
    formInputs: wait('formInputs', jsonForm),
  },
} as const satisfies Record<string, Readonly<Record<string, Property>>>

export type ObjectKind = keyof typeof PROPERTIES
