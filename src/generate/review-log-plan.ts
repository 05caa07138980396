import { type GeneratedPlan, type PlanSeed, recordPlan } from './generated-plan.js'
import type { Random } from './random.js'
import { FEEDBACK } from './scenario.js'

const QUESTIONS = [
  'How do teams keep agents within a budget?',
  'What do collectors do when their queue is full?',
  'Which columnar formats keep 64-bit integers?',
  'How is the risk of an action predicted?',
] as const

const STEPS = [
  ['Read the official documentation', 'RESEARCH'],
  ['Compare the approaches', 'PROCESS'],
  ['Write the summary', 'SYNTHESIZE'],
] as const

const DEGRADATIONS = ['budget', 'conservative', 'conservative,budget'] as const

/** Generates a planner's run with its reviews and searches. Its log contains only runs that are over. */
export function reviewLogPlan({ random, start, until }: PlanSeed): GeneratedPlan {
  const question = random.pick(QUESTIONS)
  const attempts = random.chance(0.6) ? 1 : random.chance(0.7) ? 2 : 3
  const reviews = Array.from({ length: attempts }, (_, index) =>
    index === attempts - 1
      ? { attempt: index + 1, action: 'ACCEPT_PLAN', feedback: '' }
      : { attempt: index + 1, action: 'REQUEST_CHANGES', feedback: random.pick(FEEDBACK) },
  )
  const isBlocked = random.chance(0.08)
  const calls = isBlocked
    ? []
    : Array.from({ length: random.integer(1, 3) }, (_, index) => search(random, question, index))
  const seconds = calls.reduce((sum, { duration_seconds }) => sum + duration_seconds, 0)
  const ended = Math.min(until, start + seconds * 1000 + random.skewed(90_000))
  const record = {
    timestamp: new Date(ended).toISOString().replace('Z', '000'),
    question,
    locale: 'en-US',
    context: reviews.flatMap(({ feedback }) => (feedback === '' ? [] : [`Reviewer feedback: ${feedback}`])).join('\n'),
    plan: {
      topic: question.replace('?', ''),
      goal: 'A summary with sources',
      steps: STEPS.map(([title, type], index) => ({
        id: `step-${String(index + 1)}`,
        title,
        step_type: type,
        expected_outcome: 'Notes with sources',
        status: index > 0 ? 'PENDING' : isBlocked ? 'BLOCKED' : 'COMPLETED',
        notes: [],
        references: [],
        execution_result: null,
      })),
      assumptions: ['The search service answers'],
      risks: ['Sources may be out of date'],
      metadata: {
        locale: 'en-US',
        reviewer: random.pick(['editor', 'lead']),
        budget_tokens: random.pick([8000, 12_000, 20_000]),
        budget_cost_usd: random.pick([0.25, 1.5, 2.5]),
      },
    },
    review_log: reviews,
    telemetry: isBlocked ? null : { researcher: metrics(calls, seconds) },
  }
  return recordPlan(`${pythonJson(record)}\n`, 'deep-research')
}

interface Search {
  readonly step_id: string
  readonly query: string
  readonly note_count: number
  readonly duration_seconds: number
  readonly result_count: number
  readonly applied_max_results: number
  readonly applied_max_notes: number
  readonly degradation_mode: string | null
}

function search(random: Random, question: string, index: number): Search {
  const mode = random.chance(0.3) ? random.pick(DEGRADATIONS) : null
  const limit = mode === null ? 5 : 3
  const found = random.integer(0, limit)
  return {
    step_id: 'step-1',
    query: `${question} | ${STEPS[0][0]} | en-US`,
    note_count: Math.min(found, 1 + index),
    duration_seconds: Math.floor(random.skewed(1.4) * 100) / 100 + 0.005,
    result_count: found,
    applied_max_results: limit,
    applied_max_notes: limit - 1,
    degradation_mode: mode,
  }
}

function metrics(calls: readonly Search[], seconds: number) {
  const total = (key: 'note_count' | 'result_count') => calls.reduce((sum, call) => sum + call[key], 0)
  const modes = new Set(calls.flatMap(({ degradation_mode }) => degradation_mode ?? []))
  return {
    total_calls: calls.length,
    total_notes: total('note_count'),
    total_duration_seconds: Math.floor(seconds * 1000) / 1000 + 0.000_5,
    total_results: total('result_count'),
    degradation_modes: [...modes],
    calls,
  }
}

/** Writes JSON as Python's json.dumps does. */
function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}: ${pythonJson(member)}`)
    .join(', ')}}`
}
