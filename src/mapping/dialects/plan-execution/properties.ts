import { agent, list, llm, part, plan, thinkAct, tool, wait } from '../../record-object/index.js'
import { javaDoubleForm } from './java-forms.js'

/** The key that planspan adds to a live plan, agent, cycle or call, for what Lynxe has no key for. */
const planspan = part('llm', 'guardrail', 'wait', plan('reviewLog'))

/** A plan, on its span, with the keys of all eras. */
const PLAN = {
  id: plan('recordId', 'id'),
  planId: plan('planId'),
  currentPlanId: plan('planId'),
  rootPlanId: plan('rootPlanId'),
  parentPlanId: plan('parentPlanId'),
  toolCallId: plan('parentToolCallId'),
  title: plan('title'),
  userRequest: plan('request'),
  startTime: plan('startTime', 'time'),
  endTime: plan('endTime', 'time'),
  steps: plan('steps'),
  currentStepIndex: plan('currentStepIndex'),
  completed: plan('completed'),
  summary: plan('summary'),
  modelName: plan('modelName'),
  structureResult: plan('result'),
  thinkActRecordId: plan('parentRecordId', 'id'),
  progress: plan('progress', javaDoubleForm),
  stepStatuses: plan('stepStatuses'),
  stepAgents: plan('stepAgents'),
  statusCounts: plan('statusCounts'),
  agentExecutionSequence: list('agent'),
  userInputWaitState: part('wait'),
  parentActToolCall: part(plan('parentToolCall'), 'tool'),
  planspan,
}

/** An agent's work on a step, on its span, with the keys of all eras. */
const AGENT = {
  id: agent('recordId', 'id'),
  stepId: agent('stepId'),
  conversationId: agent('conversationId'),
  agentName: agent('name'),
  agentDescription: agent('description'),
  startTime: agent('startTime', 'time'),
  endTime: agent('endTime', 'time'),
  maxSteps: agent('maxSteps'),
  currentStep: agent('currentStep'),
  status: agent('status'),
  isCompleted: agent('completed'),
  isStuck: agent('stuck'),
  completed: agent('completed'),
  stuck: agent('stuck'),
  agentRequest: agent('request'),
  result: agent('result'),
  errorMessage: agent('errorMessage'),
  modelName: agent('modelName'),
  latestMethodName: agent('latestMethodName'),
  latestMethodArgs: agent('latestMethodArgs'),
  latestRoundNumber: agent('latestRoundNumber'),
  thinkActSteps: list('think_act'),
  subPlanExecutionRecords: list('plan'),
  running: part(agent('status')),
  idle: part(agent('status')),
  subPlanCount: part('plan'),
  completedThinkActStepsCount: part(),
  planspan,
}

/** Lynxe's getters leak into its records: computed, never stored. */
const LYNXE_AGENT = { ...AGENT, completed: part(agent('status')) }

/** A think-act cycle, on its span, its model call's and its first tool call's, with the keys of all eras. */
const THINK_ACT = {
  id: thinkAct('recordId', 'id'),
  parentExecutionId: thinkAct('parentRecordId', 'id'),
  thinkStartTime: thinkAct('thinkStartTime', 'time'),
  thinkEndTime: thinkAct('thinkEndTime', 'time'),
  actStartTime: thinkAct('actStartTime', 'time'),
  actEndTime: thinkAct('actEndTime', 'time'),
  thinkInput: llm('input'),
  thinkOutput: llm('output'),
  inputCharCount: llm('inputCharCount'),
  outputCharCount: llm('outputCharCount'),
  actionNeeded: thinkAct('actionNeeded'),
  actionDescription: thinkAct('actionDescription'),
  actionResult: thinkAct('actionResult'),
  status: thinkAct('status'),
  errorMessage: thinkAct('errorMessage'),
  modelContextLimit: thinkAct('modelContextLimit'),
  toolName: tool('name'),
  toolParameters: tool('arguments'),
  actToolInfoList: list('tool'),
  subPlanExecutionRecord: part('plan'),
  planspan,
}

/** Lynxe lists its tools, and leaves the keys of the first one null. */
const LYNXE_THINK_ACT = { ...THINK_ACT, toolName: part(), toolParameters: part() }

/** A tool call, on its span. */
const TOOL = {
  name: tool('name'),
  parameters: tool('arguments'),
  result: tool('result'),
  id: tool('callId'),
  planspan: part('tool'),
}

/** The form for a person, on a wait span. */
const WAIT = {
  planId: wait('waitPlanId'),
  title: wait('title'),
  waiting: wait('waiting'),
  formDescription: wait('formDescription'),
  formInputs: wait('formInputs'),
}

/** The objects of JManus's records. */
export const JMANUS = { plan: PLAN, agent: AGENT, thinkAct: THINK_ACT, tool: TOOL, wait: WAIT }

/** The objects of Lynxe's records. */
export const LYNXE = { ...JMANUS, agent: LYNXE_AGENT, thinkAct: LYNXE_THINK_ACT }

/** The objects of live plans, in planspan's own format. */
export const LIVE = { ...LYNXE, thinkAct: THINK_ACT }
