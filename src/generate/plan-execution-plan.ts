import { Clock, type Random } from './random.js'
import { type GeneratedPlan, type PlanSeed, recordPlan } from './generated-plan.js'

const REQUESTS = [
  'Search for AI agents and summarize the top results',
  'Write an article about tea',
  'Fill in the travel form',
  'Compare three databases',
] as const

const AGENTS = ['DEFAULT_AGENT', 'BROWSER_AGENT', 'TEXT_FILE_AGENT'] as const
const TOOLS = ['browser_use', 'file-service-group_write-file-operator', 'google_search', 'bash'] as const

const FORM = [{ name: 'email', label: 'Email', type: 'email', value: '', required: 'true' }] as const

/** Generates a plan as Lynxe's recorder writes it, with its think-act cycles. */
export function planExecutionPlan({ random, start, until }: PlanSeed): GeneratedPlan {
  const clock = new Clock(start, until)
  const planId = `plan-${String(Math.trunc(start))}${random.hex(4)}`
  const request = random.pick(REQUESTS)
  clock.pass(random.skewed(300))
  const wanted = random.integer(1, 4)
  const agents: Agent[] = []
  const waits = random.chance(0.04)
  let isFailed = false
  for (let index = 0; index < wanted && !clock.isOver && !isFailed; index++) {
    const next = agent(random, clock, { planId, request, index, waits: waits && index === wanted - 1 })
    isFailed = next['errorMessage'] !== null
    agents.push(next)
  }
  const isOver = !clock.isOver && !waits && (isFailed || agents.length === wanted)
  const record = {
    id: random.integer(1, 1_000_000),
    currentPlanId: planId,
    rootPlanId: planId,
    parentPlanId: null,
    toolCallId: null,
    title: request,
    userRequest: request,
    startTime: arrayTime(start),
    endTime: isOver ? arrayTime(clock.now) : null,
    currentStepIndex: Math.max(0, agents.length - 1),
    completed: isOver,
    summary: isOver ? `Done: ${request}` : null,
    agentExecutionSequence: agents,
    userInputWaitState: waits
      ? { planId, title: 'Awaiting user input.', waiting: true, formDescription: 'Please fill', formInputs: FORM }
      : null,
    modelName: 'qwen-plus',
    parentActToolCall: null,
    structureResult: null,
  }
  return recordPlan(JSON.stringify(record), 'lynxe')
}

type Agent = Readonly<Record<string, unknown>>

interface AgentPlace {
  readonly planId: string
  readonly request: string
  readonly index: number
  /** Whether the plan waits for a form. */
  readonly waits: boolean
}

function agent(random: Random, clock: Clock, { planId, request, index, waits }: AgentPlace): Agent {
  const id = random.integer(1, 1_000_000)
  const start = clock.now
  const cycles = Array.from({ length: random.integer(1, 4) }, () => cycle(random, clock, id))
  const isOpen = waits || clock.isOver
  const isFailed = !isOpen && random.chance(0.07)
  return {
    id,
    stepId: `step-${planId}-${String(index)}`,
    conversationId: null,
    agentName: random.pick(AGENTS),
    agentDescription: 'A configurable dynamic agent',
    startTime: arrayTime(start),
    endTime: isOpen ? null : arrayTime(clock.now),
    maxSteps: 20,
    currentStep: cycles.length,
    status: isOpen ? 'RUNNING' : 'FINISHED',
    agentRequest: request,
    result: isOpen || isFailed ? null : `Done: ${request}`,
    errorMessage: isFailed ? 'LLM call failed after all retry attempts.' : null,
    modelName: null,
    latestMethodName: null,
    latestMethodArgs: null,
    latestRoundNumber: null,
    thinkActSteps: cycles,
    subPlanExecutionRecords: [],
    completed: !isOpen,
    subPlanCount: 0,
    running: isOpen,
    idle: false,
    completedThinkActStepsCount: 0,
  }
}

function cycle(random: Random, clock: Clock, parentExecutionId: number) {
  const start = clock.now
  const called = Math.trunc(start)
  clock.pass(random.skewed(1800))
  const thought = clock.now
  const name = random.pick(TOOLS)
  clock.pass(random.skewed(1100, 0.8))
  const input = 'What is to be done next, given what was found so far?'
  const output = `I call ${name}.`
  return {
    id: random.integer(1, 1_000_000),
    parentExecutionId,
    thinkStartTime: arrayTime(start),
    thinkEndTime: arrayTime(thought),
    actStartTime: arrayTime(thought),
    actEndTime: arrayTime(clock.now),
    thinkInput: input,
    thinkOutput: output,
    actionNeeded: true,
    actionDescription: null,
    actionResult: null,
    status: null,
    errorMessage: null,
    inputCharCount: input.length,
    outputCharCount: output.length,
    modelContextLimit: 131_072,
    toolName: null,
    toolParameters: null,
    actToolInfoList: [
      {
        name,
        parameters: JSON.stringify({ query: 'tea' }),
        result: JSON.stringify({ found: random.integer(0, 9) }),
        id: `toolcall-${String(called)}_${String(random.integer(1, 9999))}_${String(random.integer(1, 999))}`,
      },
    ],
  }
}

/** Writes a local time as Jackson does: without nanoseconds if they are 0. */
function arrayTime(milliseconds: number): number[] {
  const date = new Date(milliseconds)
  const nanoseconds = Math.round((milliseconds - Math.floor(milliseconds / 1000) * 1000) * 1000) * 1000
  const parts = [
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ]
  if (nanoseconds > 0 && nanoseconds < 1_000_000_000) return [...parts, nanoseconds]
  return parts.at(-1) === 0 ? parts.slice(0, -1) : parts
}
