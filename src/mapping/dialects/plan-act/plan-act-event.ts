import type { FieldValue } from '../../../semconv/index.js'
import { type JsonNode, tryParseJson } from '../../json/index.js'

/** The values of one event, by the names of the field tables. */
export type EventValues = Record<string, FieldValue | undefined>

/** One event of a session, whatever its serialisation. A comment of an SSE stream has no type. */
export interface PlanActEvent {
  /** The index in its stream or list. */
  readonly seq: number
  /** title, message, plan, step, tool, error, done, wait, or any other word. */
  readonly type: string | undefined
  readonly values: EventValues
  /** Unix nanoseconds. */
  readonly time?: bigint | undefined
  /** The span whose residual holds what deviates in the event's object. */
  readonly origin?: string | undefined
  /** Belongs to the end of the plan, so that no other event comes after it. */
  readonly isEnd?: boolean
}

export const textOf = (value: FieldValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

/** The word of a plan or step event that follows from the status of its step. */
export const wordOfStep = (status: string | undefined): string | undefined =>
  status === 'running' ? 'started' : status

/** A field's text, parsed; undefined where it is no JSON. */
export const jsonOf = (value: FieldValue | undefined): JsonNode | undefined =>
  typeof value === 'string' ? tryParseJson(value) : undefined

/** The names that ManusX gives its flow, the agent that plans and the one that works on steps. */
export const WORKFLOW = 'plan_act'
export const PLANNER = 'planner'
export const EXECUTOR = 'execution'
