import { randomUUID } from 'node:crypto'
import type { Link } from '@opentelemetry/api'
import { toolFields } from '../semconv/index.js'
import type { ToolOptions, ToolSpan, ToolValues } from './handles/tool-span.js'
import type { WaitOptions, WaitSpan } from './handles/wait-span.js'
import { liveFields } from './live-fields.js'
import { LiveGuardrail } from './live-guardrail.js'
import { LiveSpan } from './live-span.js'
import { LiveWait } from './live-wait.js'
import { readOption, readText } from './read-option.js'
import { runInSpan } from './run-in-span.js'

const FIELDS = liveFields(toolFields, ['guardedBy', 'captureReturn'])

/** One tool call (`execute_tool`). A plan started in its context is its sub-plan. */
export class LiveTool extends LiveSpan implements ToolSpan {
  #callId: string | undefined

  /** Made by `tool` and `startTool` of a cycle. */
  constructor(parent: LiveSpan, options?: ToolOptions) {
    const subject = readText(options, 'name')
    const links = guardsLinks(readOption(options, 'guardedBy'))
    super({ role: 'tool', fields: FIELDS, parent, subject, subjectField: 'name', options, links })
    this.#callId = readText(options, 'callId')
  }

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

  result(result: unknown): void {
    if (result === undefined) return
    this.hasResult = true
    this.write({ result: result === null ? 'null' : result })
  }

  protected override recordReturned(value: unknown): void {
    this.result(value)
  }

  wait<T>(options: WaitOptions, fn: (wait: WaitSpan) => T): T {
    return runInSpan((given?: WaitOptions) => this.startWait(given), options, fn)
  }

  startWait(options?: WaitOptions): LiveWait {
    return new LiveWait(this, options)
  }
}

function guardsLinks(guardedBy: unknown): Link[] | undefined {
  if (guardedBy === undefined) return undefined
  const guardrails: unknown[] = Array.isArray(guardedBy) ? guardedBy : [guardedBy]
  return guardrails.flatMap((guardrail) => (guardrail instanceof LiveGuardrail ? (guardrail.guardsLink() ?? []) : []))
}
