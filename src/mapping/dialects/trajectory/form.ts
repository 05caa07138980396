import { pythonFloatForm, type Form } from '../../form.js'
import { jsonNumber } from '../../json/node.js'

/** A reward as the environment gives it: an int where it is whole. */
export const rewardForm: Form<number> = {
  read: pythonFloatForm.read,
  write: (value) => (Number.isSafeInteger(value) ? jsonNumber(String(value)) : pythonFloatForm.write(value)),
}
