import { eventFields, everySpanFields, type FieldValue, planningFields } from '../../../semconv/index.js'
import { type JsonNode, tryParseJson } from '../../json/index.js'

/** The values of one event, by field name. */
export type EventValues = Record<string, FieldValue | undefined>

const { recordId, errorMessage } = everySpanFields

/** The attributes of a session's event on its span event: those of the event, and of a plan that it reports. */
export const SESSION_EVENT_FIELDS = { ...planningFields, recordId, errorMessage, ...eventFields }

/** One event of a session in any serialization. A comment of an SSE stream has no type. */
export interface PlanActEvent {
  /** The index in its stream or list. */
  readonly seq: number
  /** title, message, plan, step, tool, error, done, wait, or any other word. */
  readonly type: string | undefined
  readonly values: EventValues
  /** Unix nanoseconds. */
  readonly time?: bigint | undefined
  /** The span whose residual contains the deviations of the event's object. */
  readonly origin?: string | undefined
  /** Whether the event belongs to the end of the plan, so that no other event follows. */
  readonly isEnd?: boolean
  /** Whether the event may disappear when more spans arrive, so that a stream must not contain it yet. */
  readonly isProvisional?: boolean
}

export const textOf = (value: FieldValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

/** Returns the type of a plan or step event for the status of its step. */
export const wordOfStep = (status: string | undefined): string | undefined =>
  status === 'running' ? 'started' : status

/** Parses a field's text as JSON. Undefined if malformed. */
export const jsonOf = (value: FieldValue | undefined): JsonNode | undefined =>
  typeof value === 'string' ? tryParseJson(value) : undefined

/** ManusX's names of its flow, its planning agent and its executing agent. */
export const WORKFLOW = 'plan_act'
export const PLANNER = 'planner'
export const EXECUTOR = 'execution'
