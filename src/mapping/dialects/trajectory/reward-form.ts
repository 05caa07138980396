import { intForm, pythonFloatForm, type Form } from '../../record-object/forms.js'

/** A reward as the environment gives it: an int where it is whole. */
export const rewardForm: Form<number> = {
  read: pythonFloatForm.read,
  write: (value) => (Number.isSafeInteger(value) ? intForm : pythonFloatForm).write(value),
}
