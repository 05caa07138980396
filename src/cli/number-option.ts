import { PlanspanError } from '../error.js'

/** An option's whole number within bounds; undefined when it was not given. Throws `usage`. */
export function numberOption(
  name: string,
  text: string | undefined,
  { min, max }: { min: number; max: number },
): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= min && number <= max) return number
  throw new PlanspanError(
    'usage',
    `--${name} takes a whole number from ${String(min)} to ${String(max)}, not ${JSON.stringify(text)}.`,
  )
}
