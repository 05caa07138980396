import type { PlanCheck } from '../../check/index.js'
import { PlanspanError } from '../../error.js'
import type { CheckLine } from '../../wire/index.js'

/** Returns the line of a plan, with its line break. The check is undefined while the plan's first span is missing. */
export function checkLine(
  made: PlanCheck | PlanspanError | undefined,
  of: Pick<CheckLine, 'planId' | 'traceId'>,
): string {
  const line: CheckLine =
    made === undefined || made instanceof PlanspanError
      ? { ...of, passed: [], findings: [], problem: problemOf(made ?? NOT_YET) }
      : { ...of, ...made, passed: [...made.passed], findings: [...made.findings] }
  return `${JSON.stringify(line)}\n`
}

const NOT_YET = new PlanspanError('not_found', 'The span that the plan begins with has not arrived.')

const problemOf = ({ code, message }: PlanspanError) => ({ code, detail: message })
