import { PlanspanError } from '../error.js'

/** Requests with more spans are refused, refused ones included: what a request costs goes by these and by its parts. */
const MAX_SPANS = 131_072

/** Requests with more resources, scopes, spans, events, links, attributes and elements of lists are refused. */
const MAX_PARTS = 1_048_576

/** Requests with values nested deeper than this are refused: no reader should have to follow them. */
export const MAX_DEPTH = 200

/** Requests with more marks than this are refused: rewriting them would cost many times their memory. */
const MAX_MARKS = 1_048_576

/** Refuses a well-formed request that would cost too much. */
export function refuse(what: string): never {
  throw new PlanspanError('request_too_large', `The request has ${what}. Send less at once.`)
}

/** Refuses a value that is nested too deep. */
export const refuseDepth = (): never => refuse(`a value that is nested deeper than ${MAX_DEPTH} levels`)

/** Thrown by the check of a request that is not light. */
export class NotLight extends Error {
  override readonly name = 'NotLight'
}

/** The most parts of a light request: it is checked within one or two milliseconds. */
const LIGHT_PARTS = 16_384

/** Counts the parts of a request while it is checked, and refuses a request with too many. */
export class PartCount {
  spans = 0
  parts = 0
  private readonly lightOnly: boolean

  /** With `lightOnly`, throws `NotLight` at the first place to rewrite, and for a request with many parts. */
  constructor(lightOnly = false) {
    this.lightOnly = lightOnly
  }

  span(): void {
    if (++this.spans > MAX_SPANS) refuse(`more than ${MAX_SPANS} spans`)
  }

  part(): void {
    if (this.lightOnly && this.parts >= LIGHT_PARTS) throw new NotLight()
    if (++this.parts > MAX_PARTS) {
      refuse(`more than ${MAX_PARTS} resources, scopes, spans, events, links, attributes and elements of lists`)
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
