import { expect, test } from 'vitest'
import {
  type AgentSpan,
  createLynxeRecorder,
  createManusRecorder,
  createPlannerRecorder,
  createTrajectoryRecorder,
  type CycleSpan,
  type GuardrailSpan,
  type LynxeRecorder,
  type ManusRecorder,
  type ModelSpan,
  type PlannerRecorder,
  type PlanningSpan,
  type PlanSpan,
  startPlan,
  type ToolSpan,
  type TrajectoryRecorder,
  type WaitSpan,
} from '../../src/sdk/index.js'

/** Accepts exactly the names of all members that a type declares: `npm run types` checks the lists. */
const members =
  <T>() =>
  <const Names extends readonly (keyof T & string)[]>(
    names: Names & ([keyof T] extends [Names[number]] ? unknown : never),
  ): readonly string[] =>
    names

const SPAN = ['context', 'error', 'fail', 'cancel', 'end'] as const
const WAIT = ['wait', 'startWait'] as const
const MODEL = ['model', 'startModel'] as const

const plan = startPlan()
const agent = plan.startAgent()
const cycle = agent.startCycle()

test.each([
  [
    'PlanSpan',
    plan,
    members<PlanSpan>()([
      ...SPAN,
      ...WAIT,
      'planId',
      'rootPlanId',
      'token',
      'set',
      'summary',
      'result',
      'update',
      'review',
      'message',
      'planning',
      'startPlanning',
      'agent',
      'startAgent',
    ]),
  ],
  ['PlanningSpan', plan.startPlanning(), members<PlanningSpan>()([...SPAN, ...MODEL, 'steps'])],
  ['AgentSpan', agent, members<AgentSpan>()([...SPAN, ...WAIT, 'stepId', 'set', 'result', 'cycle', 'startCycle'])],
  [
    'CycleSpan',
    cycle,
    members<CycleSpan>()([...SPAN, ...WAIT, ...MODEL, 'set', 'guardrail', 'startGuardrail', 'tool', 'startTool']),
  ],
  ['ToolSpan', cycle.startTool({ name: 't' }), members<ToolSpan>()([...SPAN, ...WAIT, 'callId', 'set', 'result'])],
  ['ModelSpan', cycle.startModel(), members<ModelSpan>()([...SPAN, 'set', 'input', 'output', 'usage'])],
  ['GuardrailSpan', cycle.startGuardrail(), members<GuardrailSpan>()([...SPAN, ...MODEL, 'risk'])],
  ['WaitSpan', plan.startWait(), members<WaitSpan>()([...SPAN, 'set', 'answer', 'review', 'suspend'])],
  [
    'LynxeRecorder',
    createLynxeRecorder(),
    members<LynxeRecorder>()([
      'recordPlanExecutionStart',
      'recordStepStart',
      'recordThinkingAndAction',
      'recordActionResult',
      'recordCompleteAgentExecution',
      'recordStepEnd',
      'recordUserInputWait',
      'recordUserInput',
      'recordPlanCompletion',
    ]),
  ],
  ['ManusRecorder', createManusRecorder(), members<ManusRecorder>()(['planId', 'event', 'end'])],
  [
    'PlannerRecorder',
    createPlannerRecorder(),
    members<PlannerRecorder>()(['planId', 'plan', 'review', 'search', 'telemetry', 'end', 'fail']),
  ],
  ['TrajectoryRecorder', createTrajectoryRecorder(), members<TrajectoryRecorder>()(['planId', 'step', 'end', 'fail'])],
])('a %s declares these members and has them', (_type, value, names) => {
  expect(names.filter((name) => !(name in value))).toEqual([])
})
