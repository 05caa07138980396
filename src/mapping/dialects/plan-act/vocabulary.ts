import { booleanForm, jsonForm, numberIdForm, textForm, textListForm } from '../../form.js'
import { jsonLiteral } from '../../json/node.js'
import { wordOfStep, type EventValues } from './event.js'
import { always, derived, field, nested, optional, stepList, valueForm, type Shape } from './part.js'

/** How a serialisation writes the data of its events. */
export interface Vocabulary {
  /** The keys that every event begins with. */
  readonly head: Shape
  /** The other keys, by the type of the event; an event of a type that is not here keeps what it has as JSON. */
  readonly types: Readonly<Record<string, Shape>>
}

const NONE: Shape = []
const stepWord = ({ status }: EventValues): EventValues[string] => wordOfStep(status)

/** The events of the domain, as the Redis stream and the database hold them. */
export const DOMAIN: Vocabulary = {
  head: [
    ['type', { read: () => undefined, write: field('type').write }],
    ['id', field('eventId')],
    ['timestamp', field('timestamp')],
  ],
  types: {
    title: [['title', field('sessionTitle')]],
    message: [
      ['role', field('role')],
      ['message', field('content')],
      ['attachments', field('messageAttachments', jsonForm)],
    ],
    plan: [
      [
        'plan',
        nested([
          ['id', field('recordId')],
          ['title', field('title')],
          ['goal', field('goal')],
          ['language', field('language')],
          ['steps', stepList(['id', 'description', 'status', 'result', 'error', 'success', 'attachments'], NONE)],
          ['message', field('message')],
          ['status', field('status')],
          ['result', field('result', jsonForm)],
          ['error', field('errorMessage')],
        ]),
      ],
      ['status', field('eventStatus')],
      ['step', always(jsonLiteral(null))],
    ],
    step: [
      [
        'step',
        nested([
          ['id', field('stepId')],
          ['description', field('stepDescription')],
          ['status', field('status')],
          ['result', field('result')],
          ['error', field('errorMessage')],
          ['success', field('success', booleanForm)],
          ['attachments', field('attachments', textListForm)],
        ]),
      ],
      ['status', derived('eventStatus', stepWord)],
    ],
    tool: [
      ['tool_call_id', field('callId')],
      ['tool_name', field('group')],
      ['tool_content', field('content', jsonForm)],
      ['function_name', field('name')],
      ['function_args', field('arguments', valueForm)],
      ['status', field('status')],
      ['function_result', field('result', valueForm)],
      ['brief', optional('brief', textForm)],
    ],
    error: [['error', field('error')]],
    done: NONE,
    wait: NONE,
  },
}

const interfaceHead: Shape = [
  ['event_id', field('eventId')],
  ['timestamp', field('timestamp', numberIdForm)],
]

/** What the server tells its clients; `ai-manus`, where ManusX comes from, has since added two keys. */
const interfaceVocabulary = ({ newer }: { readonly newer: boolean }): Vocabulary => ({
  head: interfaceHead,
  types: {
    title: [['title', field('sessionTitle')]],
    message: [
      ['role', field('role')],
      ['content', field('content')],
      ['attachments', field('messageAttachments', jsonForm)],
    ],
    plan: [['steps', stepList(['status', 'id', 'description', ...(newer ? ['result'] : [])], interfaceHead)]],
    step: [
      ['status', field('status')],
      ['id', field('stepId')],
      ['description', field('stepDescription')],
      ...(newer ? [['result', field('result')] as const] : []),
    ],
    tool: [
      ['tool_call_id', field('callId')],
      ['name', field('group')],
      ['status', field('status')],
      ['function', field('name')],
      ['args', field('arguments', valueForm)],
      ['content', field('content', jsonForm)],
      ...(newer ? [['brief', field('brief')] as const] : []),
    ],
    error: [['error', field('error')]],
    done: NONE,
    wait: NONE,
  },
})

export const MANUS_X = interfaceVocabulary({ newer: false })
export const AI_MANUS = interfaceVocabulary({ newer: true })
