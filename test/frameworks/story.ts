import { readFileSync } from 'node:fs'

/** One response of the simulated model. */
export interface Turn {
  readonly text: string
  readonly calls: readonly ModelsCall[]
  readonly tokens: Tokens
}

interface ModelsCall {
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, string>>
}

interface Tokens {
  readonly input: number
  readonly output: number
}

/** The behavior of a tool: it returns a result, fails, calls another agent, or hands over to one. */
interface Tool {
  readonly result?: string
  readonly error?: string
  readonly agent?: string
  readonly handoff?: string
  /** A person has to approve each call. */
  readonly approval?: boolean
}

export interface Agent {
  readonly instructions: string
  readonly tools: Readonly<Record<string, Tool>>
  readonly turns: readonly Turn[]
}

export interface Story {
  readonly request: string
  /** The first agent gets the request; tools or the workflow call the others or hand over to them. */
  readonly agents: Readonly<Record<string, Agent>>
  /** Agents in sequence; a step that is not an agent waits for a person. */
  readonly workflow?: { readonly name: string; readonly steps: readonly string[] }
}

/** The events of a story, for the responses of the simulated model and for comparison with the records. */
export const STORIES = JSON.parse(readFileSync(new URL('stories.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Story>
>
