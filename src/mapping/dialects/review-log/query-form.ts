import type { Form } from '../../record-object/forms.js'
import { jsonObject, jsonString, member, stringOf } from '../../json/node.js'
import { tryParseJson } from '../../json/parse.js'
import { compactJson } from '../../json/write.js'

/** A search's query ⇄ the arguments of the tool call, `{"query": …}`. */
export const queryForm: Form<string> = {
  read: (node) => (node.kind === 'string' ? compactJson(jsonObject([['query', jsonString(node.value)]])) : undefined),
  write: (value) => {
    const query = stringOf(member(tryParseJson(value), 'query'))
    return query === undefined ? undefined : jsonString(query)
  },
}
