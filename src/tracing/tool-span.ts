import { randomUUID } from 'node:crypto'
import type { Link } from '@opentelemetry/api'
import { toolFields } from '../semconv/index.js'
import { GuardrailSpan } from './guardrail-span.js'
import { liveFields } from './live-fields.js'
import { LiveSpan } from './live-span.js'
import { readOption, readText } from './read-option.js'
import { runInSpan } from './run-in-span.js'
import { WaitSpan, type WaitOptions } from './wait-span.js'

const FIELDS = liveFields(toolFields)

/** What is known of a tool call. */
export interface ToolValues {
  /** function, extension or datastore. */
  type?: string | undefined
  /** What the tool is for. */
  description?: string | undefined
}

export interface ToolOptions extends ToolValues {
  /** The tool. */
  name: string
  /** The id of the call, as the model gave it. @default one is made when a sub-plan needs it */
  callId?: string | undefined
  /** The arguments: text as it is, else its JSON text. */
  arguments?: unknown
  /** The guardrails that checked this call; their spans are linked. */
  guardedBy?: GuardrailSpan | readonly GuardrailSpan[] | undefined
}

/** One tool call (`execute_tool`). A plan started in its context is its sub-plan. */
export class ToolSpan extends LiveSpan {
  #callId: string | undefined
  #hasResult = false

  /** Made by `tool` and `startTool` of a cycle. */
  constructor(parent: LiveSpan, options?: ToolOptions) {
    const subject = readText(options, 'name')
    const links = guardsLinks(readOption(options, 'guardedBy'))
    super({ role: 'tool', fields: FIELDS, parent, subject, subjectField: 'name', options, links })
    this.#callId = readText(options, 'callId')
  }

  /** The id of the call. */
  get callId(): string {
    if (this.#callId === undefined) {
      this.#callId = `call-${randomUUID()}`
      this.write({ callId: this.#callId })
    }
    return this.#callId
  }

  set(values: ToolValues): void {
    this.write(values)
  }

  /** What came of the call: text as it is, else its JSON text; nothing for undefined. */
  result(result: unknown): void {
    if (result === undefined) return
    this.#hasResult = true
    this.write({ result: result === null ? 'null' : result })
  }

  override returned(value: unknown): void {
    if (!this.#hasResult && !this.ended) this.result(value)
    this.end()
  }

  /** Waits for a person, for example for the approval of this call. */
  wait<T>(options: WaitOptions, fn: (wait: WaitSpan) => T): T {
    return runInSpan(this.startWait(options), fn)
  }

  startWait(options?: WaitOptions): WaitSpan {
    return new WaitSpan(this, options)
  }
}

function guardsLinks(guardedBy: unknown): Link[] | undefined {
  if (guardedBy === undefined) return undefined
  const guardrails: unknown[] = Array.isArray(guardedBy) ? guardedBy : [guardedBy]
  return guardrails.flatMap((guardrail) => (guardrail instanceof GuardrailSpan ? (guardrail.guardsLink() ?? []) : []))
}
