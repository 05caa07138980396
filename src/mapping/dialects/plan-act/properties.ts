import {
  jsonForm,
  type Form,
  numberIdForm,
  textForm,
  valueForm,
  agent,
  derived,
  event,
  list,
  nested,
  optional,
  part,
  plan,
  planning,
  sameAs,
  tool,
  type Property,
} from '../../record-object/index.js'
import { wordOfStep } from './plan-act-event.js'

// A value that stays the same in all events of a plan is stored on the plan span.
const content = derived(
  event('content'),
  [event('contentIn'), plan('request'), plan('summary')],
  (place, request, summary) => (place === 'request' ? request : place === 'summary' ? summary : undefined),
)
const sessionTitle = sameAs(event('sessionTitle'), plan('title'))

/** The steps of a plan: their descriptions as a list of texts, their other values as a list of objects. */
const steps = part(planning('steps'), planning('stepsJson'))
const ofStep = part(planning('stepsJson'))
const description = part(planning('steps'))

const domainHead = { type: part(event('type')), id: event('eventId'), timestamp: event('timestamp') }

/** The events of the domain, by type, as in the Redis stream and the database. */
export const DOMAIN = {
  title: { ...domainHead, title: sessionTitle },
  message: { ...domainHead, role: event('role'), message: content, attachments: event('messageAttachments') },
  plan: {
    ...domainHead,
    plan: nested({
      id: sameAs(planning('recordId'), plan('planId')),
      title: sameAs(planning('title'), plan('title')),
      goal: sameAs(planning('goal'), plan('goal')),
      language: sameAs(planning('language'), plan('language')),
      steps,
      message: sameAs(planning('message'), plan('message')),
      status: planning('status'),
      result: planning('result', jsonForm),
      error: planning('errorMessage'),
    }),
    status: event('eventStatus'),
    step: part(),
  },
  step: {
    ...domainHead,
    step: nested({
      id: agent('stepId'),
      description: agent('stepDescription'),
      status: agent('status'),
      result: agent('result'),
      error: agent('errorMessage'),
      success: agent('success'),
      attachments: agent('attachments'),
    }),
    status: derived(event('eventStatus'), [agent('status')], wordOfStep),
  },
  tool: {
    ...domainHead,
    tool_call_id: tool('callId'),
    tool_name: tool('group'),
    tool_content: tool('content'),
    function_name: tool('name'),
    function_args: tool('arguments', valueForm),
    status: tool('status'),
    function_result: tool('result', valueForm),
    brief: optional(tool('brief')),
  },
  error: { ...domainHead, error: event('error') },
  done: domainHead,
  wait: domainHead,
  other: domainHead,
  planStep: {
    id: ofStep,
    description,
    status: ofStep,
    result: ofStep,
    error: ofStep,
    success: ofStep,
    attachments: ofStep,
  },
}

/** Seconds since 1970. A time in another form is a text. */
const secondsForm: Form<string> = {
  read: numberIdForm.read,
  write: (value) => (/^\d+$/.test(value) ? numberIdForm : textForm).write(value),
}

const interfaceHead = { event_id: event('eventId'), timestamp: event('timestamp', secondsForm) }

/** The events as the server sends them to its clients. */
export const INTERFACE = {
  title: { ...interfaceHead, title: sessionTitle },
  message: { ...interfaceHead, role: event('role'), content, attachments: event('messageAttachments') },
  plan: { ...interfaceHead, steps },
  step: {
    ...interfaceHead,
    status: agent('status'),
    id: agent('stepId'),
    description: agent('stepDescription'),
    result: agent('result'),
  },
  tool: {
    ...interfaceHead,
    tool_call_id: tool('callId'),
    name: tool('group'),
    status: tool('status'),
    function: tool('name'),
    args: tool('arguments', valueForm),
    content: tool('content'),
    brief: tool('brief'),
  },
  error: { ...interfaceHead, error: event('error') },
  done: interfaceHead,
  wait: interfaceHead,
  other: interfaceHead,
  planStep: { ...interfaceHead, status: ofStep, id: ofStep, description, result: ofStep },
}

/** The keys around an event's data in a file. */
export const ENVELOPES = {
  redis: { id: event('streamId'), data: part() },
  named: { event: part(event('type')), data: part() },
  websocket: { type: part(), session_id: plan('conversationId'), event: part(event('type')), data: part() },
} as const satisfies Record<string, Readonly<Record<string, Property>>>

/** The response of `GET /sessions/{id}`, on the plan span. */
export const SESSION = {
  code: part(),
  msg: part(),
  data: nested({
    session_id: plan('conversationId'),
    title: sameAs(plan('sessionTitle'), plan('title')),
    status: plan('sessionStatus'),
    events: list('event'),
    is_shared: plan('sessionShared'),
  }),
}
