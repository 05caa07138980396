import { ERAS, type EraName } from '../../src/mapping/dialects/plan-execution/era.js'

/** A canonical record of an era: the keys of each object in the era's order, values as the system writes them. */
export function recordOf(name: EraName): string {
  const { plan: planObject, agent: agentObject, thinkAct: thinkActObject } = ERAS[name].objects
  const isByHand = name === 'A0' || name === 'A' || name === 'A1'
  const id = (digits: string): string => (name === 'A0' || name === 'A1' ? `"${digits}"` : digits)
  const isArrayTime = ['D', 'E', 'E+', 'E++', 'F'].includes(name)
  const time = (second: number): string =>
    isArrayTime ? `[2025,9,30,10,26,${second},529626000]` : `"2025-09-30T10:26:0${second}.529626"`
  const object = (keys: readonly string[], values: Readonly<Record<string, string>>): string =>
    `{${keys.flatMap((key) => (values[key] === undefined && isByHand ? [] : [`"${key}":${values[key] ?? 'null'}`])).join(',')}}`
  const call = object(ERAS.E.objects.tool.keys, { name: '"t"', parameters: '"{}"', result: '"ok"', id: '"toolcall-1"' })
  const plan = (planId: string, agents: string, extra: Record<string, string>): string =>
    object(planObject.keys, {
      id: id('1759199162002'),
      planId: `"${planId}"`,
      currentPlanId: `"${planId}"`,
      rootPlanId: '"plan-1"',
      thinkActRecordId: '17',
      title: '"Title"',
      userRequest: '"Request"',
      startTime: time(1),
      endTime: time(9),
      currentStepIndex: '0',
      progress: '50.0',
      completed: 'true',
      summary: '"Done"',
      steps: '["0. [completed] [A] one"]',
      stepStatuses: '["completed","not_started"]',
      stepAgents: '["A","A"]',
      statusCounts: '{"completed":1,"not_started":1}',
      agentExecutionSequence: agents,
      ...extra,
    })
  const subPlan = plan('subplan-1', '[]', {
    parentPlanId: '"plan-1"',
    toolCallId: '"toolcall-1"',
    parentActToolCall: call,
  })
  const thinkAct = object(thinkActObject.keys, {
    id: id('3'),
    parentExecutionId: id('2'),
    thinkStartTime: time(3),
    thinkEndTime: time(4),
    thinkInput: '"in"',
    thinkOutput: '"out"',
    actionNeeded: 'true',
    status: '"SUCCESS"',
    inputCharCount: '2',
    outputCharCount: '3',
    modelContextLimit: '1000',
    ...(thinkActObject.properties.toolName.kind === 'field' ? { toolName: '"t"', toolParameters: '"{}"' } : {}),
    actToolInfoList: `[${call}]`,
    subPlanExecutionRecord: subPlan,
  })
  const agent = object(agentObject.keys, {
    id: id('2'),
    stepId: '"step-1"',
    conversationId: '"c"',
    agentName: '"A"',
    startTime: time(2),
    endTime: time(8),
    maxSteps: '20',
    currentStep: '1',
    status: '"FINISHED"',
    isCompleted: 'true',
    isStuck: 'false',
    completed: 'true',
    stuck: 'false',
    latestMethodName: '"t"',
    thinkActSteps: `[${thinkAct}]`,
    subPlanExecutionRecords: `[${subPlan}]`,
    subPlanCount: '1',
    running: 'false',
    idle: 'false',
    completedThinkActStepsCount: '0',
  })
  return plan('plan-1', `[${agent}]`, {}).replaceAll(
    ',"agentExecutionSequence":[]',
    isByHand ? '' : ',"agentExecutionSequence":[]',
  )
}

/** The eras of systems' records. */
export const ERA_NAMES = Object.keys(ERAS).filter((name): name is EraName => name !== 'live')
