import { jsonNumber, jsonString } from '../../json/node.js'
import type { Form } from '../../record-object/forms.js'

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** How much a model is to think: a word, or a number digit for digit. */
export const effortForm: Form<string> = {
  read: (node) => {
    if (node.kind === 'number') return NUMBER.test(node.text) ? node.text : undefined
    return node.kind === 'string' && !NUMBER.test(node.value) ? node.value : undefined
  },
  write: (value) => (NUMBER.test(value) ? jsonNumber(value) : jsonString(value)),
}
