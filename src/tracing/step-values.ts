import { readOption } from './read-option.js'

/** The steps of a plan as field values: their texts and, if any step is an object, all steps as objects. */
interface StepValues {
  readonly steps: readonly unknown[]
  readonly stepsJson: readonly object[] | undefined
}

/** Reads steps that are texts or objects. The text of an object is its `title` or `description`, else its JSON. */
export function stepValues(steps: readonly unknown[]): StepValues {
  const texts = steps.map((step) => (isObject(step) ? (readTitle(step) ?? step) : step))
  const objects = steps.map((step) => (isObject(step) ? step : { title: step }))
  return { steps: texts, stepsJson: steps.some(isObject) ? objects : undefined }
}

const isObject = (step: unknown): step is object => typeof step === 'object' && step !== null && !Array.isArray(step)

const readTitle = (step: { title?: unknown; description?: unknown }): string | undefined =>
  [readOption(step, 'title'), readOption(step, 'description')].find((text) => typeof text === 'string')
