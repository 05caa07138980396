import { z } from 'zod'

import { PlanspanError } from '../../error.js'
import { SourceAway } from './source.js'

const ID = z.string().nullish()
const MEMORY = z.looseObject({ conversation_id: ID, root_plan_ids: z.array(ID).nullish() })
const MEMORIES = z.looseObject({ success: z.literal(true), memories: z.array(MEMORY) })
const ONE_MEMORY = z.looseObject({ data: MEMORY.nullish() })

/** A conversation of Lynxe, with its plans. */
export interface Conversation {
  readonly id: string
  readonly planIds: readonly string[]
}

/** Lynxe's response for a plan: its details, an error of the plan, or undefined for an unknown plan. */
export type Details = { readonly text: string } | { readonly error: string } | undefined

const TIMEOUT_MS = 60_000

/** A client of a Lynxe server, one request at a time. All methods throw `SourceAway`. */
export class LynxeClient {
  readonly #base: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #signal: AbortSignal
  /** The last responses by path, with their ETags, so that unchanged responses are not sent again. */
  readonly #marked = new Map<string, { readonly etag: string; readonly text: string }>()

  constructor(base: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
    this.#base = base
    this.#headers = headers
    this.#signal = signal
  }

  /** The conversations that Lynxe lists: the newest fifteen. */
  async conversations(): Promise<Conversation[]> {
    const { status, text } = await this.#get('/api/memories')
    const read = MEMORIES.safeParse(jsonOf(text))
    if (status === 200 && read.success) return read.data.memories.flatMap((memory) => conversationOf(memory) ?? [])
    throw this.#away(`its list of conversations, /api/memories, returns ${status}: ${text.slice(0, 200)}`)
  }

  /** A conversation by its id; undefined if it does not exist. */
  async conversation(id: string): Promise<Conversation | undefined> {
    const { text } = await this.#get(`/api/memories/single?conversationId=${encodeURIComponent(id)}`)
    const read = ONE_MEMORY.safeParse(jsonOf(text))
    return read.success && read.data.data ? conversationOf(read.data.data) : undefined
  }

  async details(planId: string): Promise<Details> {
    const { status, text } = await this.#get(`/api/executor/details/${encodeURIComponent(planId)}`)
    if (status === 200) return { text }
    if (status === 404) return undefined
    // Lynxe reports an error of the plan once, and returns its record with the next response.
    if (status === 500) return { error: text }
    throw this.#away(`details return ${status}: ${text.slice(0, 200)}`)
  }

  /** An agent's execution, JSON text; undefined if Lynxe has none. */
  async agentExecution(stepId: string): Promise<string | undefined> {
    const { status, text } = await this.#get(`/api/executor/agent-execution/${encodeURIComponent(stepId)}`)
    return status === 200 ? text : undefined
  }

  async #get(path: string): Promise<{ status: number; text: string }> {
    const marked = this.#marked.get(path)
    const headers = { accept: 'application/json', ...this.#headers, ...(marked && { 'if-none-match': marked.etag }) }
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#signal])
      const response = await fetch(`${this.#base}${path}`, { headers, signal })
      const text = await response.text()
      if (response.status === 304 && marked) return { status: 200, text: marked.text }
      const etag = response.headers.get('etag')
      if (etag !== null && response.ok) this.#marked.set(path, { etag, text })
      else this.#marked.delete(path)
      if (response.status === 401 || response.status === 403 || response.status > 500) {
        throw this.#away(`it returns ${response.status}: ${text.slice(0, 200)}`)
      }
      return { status: response.status, text }
    } catch (error) {
      if (error instanceof SourceAway) throw error
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      throw this.#away(
        cause instanceof Error ? ('code' in cause && String(cause.code)) || cause.message : String(cause),
      )
    }
  }

  /** Drops the cached responses for a plan and its agents, which are not requested any more. */
  forget(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#marked.delete(`/api/executor/details/${encodeURIComponent(id)}`)
      this.#marked.delete(`/api/executor/agent-execution/${encodeURIComponent(id)}`)
    }
  }

  #away(reason: string): SourceAway {
    return new SourceAway(
      new PlanspanError('receiver_unreachable', `Lynxe cannot be read at ${this.#base}: ${reason.trim()}.`),
    )
  }
}

const conversationOf = ({ conversation_id: id, root_plan_ids: plans }: z.output<typeof MEMORY>) =>
  id
    ? { id, planIds: (plans ?? []).filter((planId) => typeof planId === 'string' && planId !== '') as string[] }
    : undefined

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
