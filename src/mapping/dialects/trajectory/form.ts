import { intForm, pythonFloatForm, type Form } from '../../form.js'
import { jsonNumber } from '../../json/node.js'

/** A reward as the environment gives it: an int where it is whole. */
export const rewardForm: Form<number> = {
  read: pythonFloatForm.read,
  write: (value) => (Number.isSafeInteger(value) ? intForm : pythonFloatForm).write(value),
}

/** A place that is counted from 1 where the field counts from 0. */
export const fromOneForm: Form<number> = {
  read: (node) => {
    const count = intForm.read(node)
    return count === undefined ? undefined : count - 1
  },
  write: (value) => jsonNumber(String(value + 1)),
}
