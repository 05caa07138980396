import {
  FieldColorBuilder,
  FieldColorModeId,
  type Threshold,
  ThresholdsConfigBuilder,
  type ValueMapping,
  type ValueMappingResult,
} from '@grafana/grafana-foundation-sdk/dashboard'

/** The colour of each state, the same on every dashboard. */
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

/** The colour of each role that model calls are made in. */
export const ROLE_COLOURS = {
  agent: 'blue',
  world_model: 'purple',
  harmonyguard: 'orange',
  reactive: 'green',
} as const

/** The colour of what became of an assessed action. */
export const VERDICT_COLOURS = {
  safe: 'green',
  'no verdict': 'blue',
  'unsafe, not taken': 'orange',
  'unsafe, taken': 'red',
  'unsafe, unknown if taken': 'purple',
} as const

/** The colour of each decision of a reviewer. */
export const DECISION_COLOURS = { ACCEPT_PLAN: 'green', REQUEST_CHANGES: 'orange', ABORT: 'red' } as const

/** From where on a risk score is worth a look, and from where it is too high. */
export const RISK = { notable: 0.3, high: 0.7 } as const

/** Values to coloured text. */
export function colouredText(colours: Readonly<Record<string, string>>): ValueMapping[] {
  const options = Object.fromEntries(
    Object.entries(colours).map(([text, color], index) => [text, { text, color, index }]),
  )
  return [{ type: 'value', options } as ValueMapping]
}

function yesNo(yes: ValueMappingResult, no: ValueMappingResult): ValueMapping[] {
  return [{ type: 'value', options: { true: { ...yes, index: 0 }, false: { ...no, index: 1 } } } as ValueMapping]
}

/** Whether an assessed action ran; empty where nothing tells. */
export const takenOrNot = yesNo({ text: 'taken' }, { text: 'not taken' })

/** A guardrail's verdict. */
export const safeOrNot = yesNo({ text: 'safe', color: 'green' }, { text: 'unsafe', color: 'red' })

/** Colours by value: the first one from minus infinity, each other from its number on. */
export function steps(first: string, ...others: readonly (readonly [from: number, colour: string])[]): Threshold[] {
  return [{ value: null, color: first }, ...others.map(([value, color]) => ({ value, color }))]
}

export function thresholds(list: Threshold[]): ThresholdsConfigBuilder {
  return new ThresholdsConfigBuilder().steps(list)
}

/** Seconds that stay seconds: powers of ten would be 1.67 mins or 2.78 hours on an axis. */
export const SECONDS = 'suffix:s'

/** Of a risk score. */
export const RISK_STEPS = steps('green', [RISK.notable, 'orange'], [RISK.high, 'red'])

/** Of the share of a budget that is used. */
export const BUDGET_STEPS = steps('green', [0.8, 'orange'], [1, 'red'])

/** A colour for each series, or for each step of a threshold. */
export function coloursBy(mode: FieldColorModeId): FieldColorBuilder {
  return new FieldColorBuilder().mode(mode)
}

/** One colour for all series. */
export function fixed(colour: string): FieldColorBuilder {
  return new FieldColorBuilder().mode(FieldColorModeId.Fixed).fixedColor(colour)
}
