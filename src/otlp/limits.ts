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

/** Counts what a request consists of, while it is checked, and refuses it where there is too much. */
export class PartCount {
  spans = 0
  parts = 0

  span(): void {
    if (++this.spans > MAX_SPANS) refuse(`more than ${MAX_SPANS} spans`)
  }

  part(): void {
    if (++this.parts > MAX_PARTS) {
      refuse(`more than ${MAX_PARTS} resources, scopes, spans, events, links, attributes and elements of lists`)
    }
  }

  /** Adds an offset to the marks. */
  mark(marks: number[], offset: number): void {
    if (marks.push(offset) > MAX_MARKS) {
      refuse(`more than ${MAX_MARKS} places that would have to be written anew for ClickHouse`)
    }
  }
}
