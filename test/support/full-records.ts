const call = { name: 'browser', parameters: '{"url": "x"}', result: 'ok', id: 'toolcall-1' }
const lynxeTime = (second: number): number[] => [2025, 12, 30, 10, 26, second, 500_000_000]
const lynxeAgent = (subPlans: object[]): object => ({
  id: 1905,
  stepId: 'step-1',
  conversationId: 'conversation-1',
  agentName: 'writer',
  agentDescription: 'writes',
  startTime: lynxeTime(2),
  endTime: lynxeTime(9),
  maxSteps: 5,
  currentStep: 1,
  status: 'FINISHED',
  agentRequest: 'write',
  result: 'written',
  errorMessage: 'almost',
  modelName: 'm-1',
  latestMethodName: 'browser',
  latestMethodArgs: '{}',
  latestRoundNumber: 3,
  thinkActSteps: [
    {
      id: 7,
      parentExecutionId: 1905,
      thinkStartTime: lynxeTime(2),
      thinkEndTime: lynxeTime(3),
      actStartTime: lynxeTime(4),
      actEndTime: lynxeTime(5),
      thinkInput: 'in',
      thinkOutput: 'out',
      actionNeeded: true,
      actionDescription: 'browse',
      actionResult: 'browsed',
      status: 'SUCCESS',
      errorMessage: 'slow',
      inputCharCount: 2,
      outputCharCount: 3,
      modelContextLimit: 128_000,
      toolName: null,
      toolParameters: null,
      actToolInfoList: [call],
    },
  ],
  subPlanExecutionRecords: subPlans,
  completed: true,
  subPlanCount: subPlans.length,
  running: false,
  idle: false,
  completedThinkActStepsCount: 0,
})
const lynxePlan = (planId: string, parent: object | null, agents: object[]): object => ({
  id: 1,
  currentPlanId: planId,
  rootPlanId: 'plan-1',
  parentPlanId: 'plan-0',
  toolCallId: 'toolcall-1',
  title: 'Title',
  userRequest: 'Request',
  startTime: lynxeTime(1),
  endTime: lynxeTime(10),
  currentStepIndex: 0,
  completed: true,
  summary: 'Summary',
  agentExecutionSequence: agents,
  userInputWaitState: {
    planId: 'plan-1',
    title: 'Form',
    waiting: true,
    formDescription: 'Please',
    formInputs: [{ label: 'Mail' }],
  },
  modelName: 'm-0',
  parentActToolCall: parent,
  structureResult: '{"a":1}',
})
/** A Lynxe plan with a sub-plan below a tool call, with a value for every field. */
export const fullLynxePlan = JSON.stringify(
  lynxePlan('plan-1', { ...call, id: 'toolcall-0' }, [lynxeAgent([lynxePlan('subplan-1', call, [lynxeAgent([])])])]),
)

/** A separate agent execution with a value for every field. */
export const fullLynxeAgent = JSON.stringify(lynxeAgent([]))

const plannerRun = {
  timestamp: '2025-10-09T12:34:25.000120',
  question: 'Which?',
  locale: 'en',
  context: 'hint',
  plan: {
    topic: 'topic',
    goal: 'goal',
    steps: [{ id: 'step-1', title: 'one', confidence: 0.5 }],
    assumptions: ['a'],
    risks: ['r'],
    metadata: { locale: 'en', reviewer: 'me', budget_tokens: 8000, budget_cost_usd: 2.5 },
  },
  review_log: [{ attempt: 1, action: 'ACCEPT_PLAN', feedback: '' }],
  telemetry: {
    researcher: {
      total_calls: 1,
      total_notes: 2,
      total_duration_seconds: 1.5,
      total_results: 3,
      degradation_modes: ['budget'],
      calls: [
        {
          step_id: 'step-1',
          query: 'Which? | one | en',
          note_count: 2,
          duration_seconds: 1.5,
          result_count: 3,
          applied_max_results: 4,
          applied_max_notes: 5,
          degradation_mode: 'budget',
        },
      ],
    },
  },
}

/** A planner run with a value for every field and Python's separators, which none of its texts contains. */
export const fullPlannerRun = `${JSON.stringify(plannerRun).replaceAll(/,|(?<="):/g, '$& ')}\n`
