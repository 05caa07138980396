import {
  FieldColorBuilder,
  FieldColorModeId,
  type Threshold,
  ThresholdsConfigBuilder,
  type ValueMapping,
  type ValueMappingResult,
} from '@grafana/grafana-foundation-sdk/dashboard'

/** The color of each state on all dashboards. */
export const STATE_COLOURS = {
  planning: 'light-blue',
  running: 'blue',
  updating: 'semi-dark-blue',
  waiting: 'orange',
  completed: 'green',
  failed: 'red',
  cancelled: 'purple',
  interrupted: 'dark-red',
} as const

/** The color of each role of model calls. */
export const ROLE_COLOURS = {
  agent: 'blue',
  world_model: 'purple',
  policy_guardrail: 'orange',
  reactive_guardrail: 'green',
} as const

/** The color of each outcome of an assessed action. */
export const VERDICT_COLOURS = {
  safe: 'green',
  'no verdict': 'blue',
  'unsafe, not taken': 'orange',
  'unsafe, taken': 'red',
  'unsafe, unknown if taken': 'purple',
} as const

/** The color of each decision of a reviewer. */
export const DECISION_COLOURS = { ACCEPT_PLAN: 'green', REQUEST_CHANGES: 'orange', ABORT: 'red' } as const

/** The lower bounds of notable and of high risk scores. */
export const RISK = { notable: 0.3, high: 0.7 } as const

/** Maps values to colored text. */
export function colouredText(colours: Readonly<Record<string, string>>): ValueMapping[] {
  const options = Object.fromEntries(
    Object.entries(colours).map(([text, color], index) => [text, { text, color, index }]),
  )
  return [{ type: 'value', options } as ValueMapping]
}

function yesNo(yes: ValueMappingResult, no: ValueMappingResult): ValueMapping[] {
  return [{ type: 'value', options: { true: { ...yes, index: 0 }, false: { ...no, index: 1 } } } as ValueMapping]
}

/** Whether an assessed action ran; empty if unknown. */
export const takenOrNot = yesNo({ text: 'taken' }, { text: 'not taken' })

/** A guardrail's verdict. */
export const safeOrNot = yesNo({ text: 'safe', color: 'green' }, { text: 'unsafe', color: 'red' })

/** Returns thresholds: the first color applies from minus infinity, each other color from its number. */
export function steps(first: string, ...others: readonly (readonly [from: number, colour: string])[]): Threshold[] {
  return [{ value: null, color: first }, ...others.map(([value, color]) => ({ value, color }))]
}

export function thresholds(list: Threshold[]): ThresholdsConfigBuilder {
  return new ThresholdsConfigBuilder().steps(list)
}

/** A unit that keeps seconds. Grafana's own unit shows powers of ten as 1.67 mins or 2.78 hours on an axis. */
export const SECONDS = 'suffix:s'

/** The thresholds of risk scores. */
export const RISK_STEPS = steps('green', [RISK.notable, 'orange'], [RISK.high, 'red'])

/** The thresholds of the used share of a budget. */
export const BUDGET_STEPS = steps('green', [0.8, 'orange'], [1, 'red'])

/** Returns a color scheme with a color per series or per threshold. */
export function coloursBy(mode: FieldColorModeId): FieldColorBuilder {
  return new FieldColorBuilder().mode(mode)
}

/** Returns a color scheme with one color for all series. */
export function fixed(colour: string): FieldColorBuilder {
  return new FieldColorBuilder().mode(FieldColorModeId.Fixed).fixedColor(colour)
}
