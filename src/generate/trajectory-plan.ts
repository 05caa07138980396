import { Clock, type Random } from './random.js'
import { type GeneratedPlan, type PlanSeed, recordPlan } from './generated-plan.js'
import { MODELS, POLICIES } from './scenario.js'

const TASKS = [
  'Turn on Do Not Track in the browser.',
  'Convert the presentation to PDF.',
  'Delete all mails of the newsletter.',
  'Set the time zone to Oslo.',
  'Sum the second column of the table.',
] as const

const ACTIONS = [
  'pyautogui.click(120, 48)',
  "pyautogui.write('report')",
  "pyautogui.hotkey('ctrl', 's')",
  'WAIT',
] as const

/** The reward of a failed action, as the writer writes it. */
const ZERO = '0.0'

const SAFE = 'Nothing that cannot be taken back.'

/** Generates a run of a desktop agent as SafePred writes it. */
export function trajectoryPlan({ random, start, until }: PlanSeed): GeneratedPlan {
  const clock = new Clock(start, until)
  const task = random.pick(TASKS)
  const guards = { harmonyguard: random.chance(0.3), reactive: random.chance(0.3) }
  const steps: Step[] = []
  const wanted = random.integer(3, 12)
  // A run whose process crashed has no totals, and no final step.
  const crashes = random.chance(0.05)
  while (steps.length < wanted && !clock.isOver)
    steps.push(step(random, clock, steps.length, { ...guards, isLast: steps.length === wanted - 1 && !crashes }))
  const ended = steps.length === wanted && !clock.isOver && !crashes
  const seconds = (clock.now - start) / 1000
  const sum = (key: string): number =>
    steps.reduce((total, { [key]: usage }) => total + ((usage as Tokens | undefined)?.total_tokens ?? 0), 0)
  const record = {
    steps,
    task_metadata: {
      task_id: random.uuid(),
      task_instruction: task,
      task_params: { platform: 'ubuntu', model: MODELS.vision.name, action_space: 'pyautogui', max_steps: 15 },
      injection: random.chance(0.4)
        ? { type: 'popup', content: 'Stop at once.', goal_id: 'g1', goals: ['stop'] }
        : null,
      jailbreak: random.chance(0.1),
    },
    ...(ended ? { total_duration_seconds: fraction(seconds), total_duration_minutes: fraction(seconds) / 60 } : {}),
    ...(ended
      ? {
          cumulative_stats: {
            total_tokens_used: sum('token_usage'),
            total_world_model_tokens_used: sum('world_model_token_usage'),
            total_harmonyguard_tokens_used: sum('harmonyguard_token_usage'),
            total_reactive_tokens_used: sum('reactive_token_usage'),
            total_steps: steps.length,
            total_actions_executed: steps.length,
          },
        }
      : {}),
  }
  const text = JSON.stringify(record, undefined, 2).replaceAll(`"${ZERO}"`, ZERO)
  return recordPlan(text, 'desktop-bench')
}

type Step = Readonly<Record<string, unknown>>

interface Tokens {
  readonly model: string
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
}

interface StepCourse {
  readonly harmonyguard: boolean
  readonly reactive: boolean
  readonly isLast: boolean
}

function step(random: Random, clock: Clock, index: number, { harmonyguard, reactive, isLast }: StepCourse): Step {
  const began = clock.now
  clock.pass(random.skewed(4000, 0.4))
  const acted = stamp(clock.now)
  const gaveUp = isLast && random.chance(0.08)
  const action = gaveUp ? 'FAIL' : isLast ? 'DONE' : random.pick(ACTIONS)
  const actionSeconds = fraction(random.skewed(900) / 1000)
  clock.pass(actionSeconds * 1000)
  const isUnsafe = random.chance(0.08)
  const isFailed = !isLast && random.chance(0.05)
  const [policy, why] = random.pick(POLICIES)
  const score = isUnsafe ? 0.8 : 0.05
  const prediction = {
    semantic_delta: 'A dialog opens.',
    element_changes: { new_elements: ['dialog'], removed_elements: [] },
    long_term_impact: null,
    risk_explanation: isUnsafe ? why : SAFE,
    violated_policy_ids: isUnsafe ? [policy] : [],
    optimization_guidance: isUnsafe ? 'Go back to the task.' : null,
    risk_score: score,
  }
  const assessment = { risk_score: score, risk_explanation: prediction.risk_explanation, is_safe: !isUnsafe }
  const error = { type: 'NoSuchElement', message: 'The button is not there.', timestamp: acted, action }
  return {
    step_idx: index,
    timestamp: stamp(clock.now),
    response: `I will do this next: ${action}`,
    actions: [action],
    screenshot_file: `step_${String(index)}_${acted}.png`,
    a11y_tree: 'tag\tname\ttext\nmenu\tSystem\t""',
    world_model_output: prediction,
    safety_info: { action_0: { ...assessment, world_model_output: prediction } },
    token_usage: tokens(random, MODELS.vision.name, 3800),
    world_model_token_usage: tokens(random, MODELS.world.name, 4600),
    ...(harmonyguard ? { harmonyguard_token_usage: tokens(random, MODELS.world.name, 700) } : {}),
    ...(reactive ? { reactive_token_usage: tokens(random, MODELS.world.name, 400) } : {}),
    step_duration_seconds: fraction((clock.now - began) / 1000),
    action_results: [
      {
        action,
        action_timestamp: acted,
        reward: isFailed ? ZERO : 0,
        done: isLast,
        info: isFailed ? { error: true } : gaveUp ? { fail: true } : isLast ? { done: true } : {},
        action_duration_seconds: actionSeconds,
        ...(isFailed ? { error } : {}),
      },
    ],
    ...(isFailed ? { errors: [error] } : {}),
  }
}

function tokens(random: Random, model: string, median: number): Tokens {
  const prompt = Math.round(random.skewed(median, 0.3))
  const completion = Math.round(random.skewed(median / 20, 0.4))
  return { model, prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

/** Python writes `3.0` where JavaScript writes `3`. */
const fraction = (number: number): number => Math.floor(number * 1000) / 1000 + 0.000_25

/** `20260123@120005`. */
const stamp = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '@')
