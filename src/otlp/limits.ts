import { PlanspanError } from '../error.js'
import type { CheckOptions } from './request.js'
import { SIGNAL_RULES } from './signal.js'

/** The most spans or log records of a request, rejected ones included: its cost grows with them and with its parts. */
const MAX_SPANS = 131_072

/** The most parts of a request: resources, scopes, spans, events, links, attributes and list elements together. */
const MAX_PARTS = 1_048_576

/** The deepest nesting of values in a request; readers need not handle deeper values. */
export const MAX_DEPTH = 200

/** The most marks of a request: rewriting a request with more would need many times its memory. */
const MAX_MARKS = 1_048_576

/** Rejects a well-formed request that would cost too much. */
export function refuse(what: string): never {
  throw new PlanspanError('request_too_large', `The request has ${what}. Send less at once.`)
}

/** Rejects a value that is nested too deep. Another request of smaller size would not help. */
export function refuseDepth(levels = MAX_DEPTH): never {
  throw new PlanspanError('invalid_otlp', `The request has a value that is nested deeper than ${levels} levels.`)
}

/** Thrown by a `lightOnly` check when the request is not light. */
export class NotLight extends Error {
  override readonly name = 'NotLight'
}

/** The most parts of a light request, which takes one or two milliseconds to check. */
const LIGHT_PARTS = 16_384

/** Counts the parts of a request during its check, and rejects a request with too many. */
export class PartCount {
  spans = 0
  parts = 0
  private readonly items: string
  private readonly lightOnly: boolean

  /** With `lightOnly`, throws `NotLight` at the first mark, and for a request with many parts. */
  constructor({ signal = 'traces', lightOnly = false }: Pick<CheckOptions, 'signal' | 'lightOnly'>) {
    this.items = SIGNAL_RULES[signal].items
    this.lightOnly = lightOnly
  }

  /** Counts a span, a log record or a data point. */
  item(): void {
    if (++this.spans > MAX_SPANS) refuse(`more than ${MAX_SPANS} ${this.items}`)
  }

  part(): void {
    if (this.lightOnly && this.parts >= LIGHT_PARTS) throw new NotLight()
    if (++this.parts > MAX_PARTS) {
      refuse(`more than ${MAX_PARTS} resources, scopes, ${this.items}, events, links, attributes and elements of lists`)
    }
  }

  /** Adds an offset to the marks. */
  mark(marks: number[], offset: number): void {
    if (this.lightOnly) throw new NotLight()
    if (marks.push(offset) > MAX_MARKS) {
      refuse(`more than ${MAX_MARKS} places that would have to be written anew for ClickHouse`)
    }
  }
}
