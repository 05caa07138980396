// Large records, and small ones to be read beside them. The texts are of four scripts, as web pages are, and long.
import { planRows } from '../fold/plan.mjs'

const WORDS = 'The plan went on: 计划继续 план продолжается, “quoted” and <b>marked up</b>,\n\tindented.'
const text = (length, number) => `${number} ${WORDS.repeat(Math.ceil(length / WORDS.length))}`.slice(0, length)

const TEXT = 32_000
const stamp = (seconds) => new Date(Date.UTC(2026, 2, 4, 12) + seconds * 1000).toISOString().slice(0, 23)

/** A plan-execution record of agents in think-act cycles, its size in characters being about `size`. */
export function planExecution(planId, { size, textLength = TEXT }) {
  const cycles = Math.ceil(size / (textLength * 3))
  const agents = Math.ceil(cycles / 50)
  const agent = (index) => ({
    id: index + 1,
    conversationId: planId,
    agentName: 'BROWSER_AGENT',
    agentDescription: 'Browses',
    startTime: stamp(index * 100),
    endTime: stamp(index * 100 + 99),
    maxSteps: 100,
    currentStep: 50,
    status: 'COMPLETED',
    isCompleted: true,
    isStuck: false,
    agentRequest: `Open page ${index}`,
    result: 'Opened',
    thinkActSteps: Array.from({ length: Math.min(50, cycles - index * 50) }, (_, cycle) => ({
      id: index * 1000 + cycle,
      parentExecutionId: index + 1,
      thinkStartTime: stamp(index * 100 + cycle),
      thinkEndTime: stamp(index * 100 + cycle + 0.3),
      actStartTime: stamp(index * 100 + cycle + 0.4),
      actEndTime: stamp(index * 100 + cycle + 0.9),
      thinkInput: text(textLength, cycle),
      thinkOutput: text(textLength, cycle),
      actionNeeded: true,
      actionDescription: 'Open it',
      actionResult: text(textLength, cycle),
      status: 'completed',
      toolName: 'browser',
      toolParameters: JSON.stringify({ url: `https://example.com/${index}/${cycle}` }),
    })),
  })
  return {
    id: 1,
    planId,
    title: 'A long research',
    userRequest: 'Read it all',
    startTime: stamp(0),
    endTime: stamp(agents * 100),
    currentStepIndex: agents - 1,
    completed: true,
    summary: 'Done',
    steps: Array.from({ length: agents }, (_, index) => `[BROWSER_AGENT] Open page ${index}`),
    agentExecutionSequence: Array.from({ length: agents }, (_, index) => agent(index)),
  }
}

/** A trajectory whose steps hold what the screen showed, about `size` characters of it. */
export const trajectory = (taskId, size) => ({
  steps: Array.from({ length: Math.ceil(size / (TEXT * 3)) }, (_, index) => ({
    step_idx: index,
    timestamp: `20261121@23${String(Math.floor(index / 60) % 60).padStart(2, '0')}${String(index % 60).padStart(2, '0')}`,
    response: text(TEXT, index),
    actions: [`pyautogui.click(${index}, 127)`],
    screenshot_file: `step_${index}.png`,
    a11y_tree: text(TEXT * 2, index),
  })),
  task_id: taskId,
})

/** OTLP/JSON requests with the spans of a live plan. */
export function* livePlan(spans) {
  const rows = planRows({ spans, snapshots: 0 })
  const keyValues = (attributes) =>
    Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } }))
  for (let at = 0; at < rows.length; at += 2_000) {
    const batch = rows.slice(at, at + 2_000).map((row) => ({
      traceId: row.traceId,
      spanId: row.spanId,
      parentSpanId: row.parentSpanId,
      name: row.name,
      kind: 1,
      startTimeUnixNano: String(row.startTimeUnixNano),
      endTimeUnixNano: String(row.endTimeUnixNano),
      attributes: keyValues(row.attributes),
    }))
    yield JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: batch }] }] })
  }
}
