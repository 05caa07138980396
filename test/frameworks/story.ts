import { readFileSync } from 'node:fs'

/** What a made-up model answers once. */
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

/** What a tool does: it answers, fails, asks another agent, or hands over to one. */
interface Tool {
  readonly result?: string
  readonly error?: string
  readonly agent?: string
  readonly handoff?: string
  /** A person has to allow each call. */
  readonly approval?: boolean
}

export interface Agent {
  readonly instructions: string
  readonly tools: Readonly<Record<string, Tool>>
  readonly turns: readonly Turn[]
}

export interface Story {
  readonly request: string
  /** The first one is asked; the others are asked, or take over, as tools or the workflow say. */
  readonly agents: Readonly<Record<string, Agent>>
  /** Agents in a row; a step that is no agent waits for a person. */
  readonly workflow?: { readonly name: string; readonly steps: readonly string[] }
}

/** What happens, told once: the made-up model answers out of it, and the records are compared with it. */
export const STORIES = JSON.parse(readFileSync(new URL('stories.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Story>
>
