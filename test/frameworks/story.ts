import { readFileSync } from 'node:fs'

/** One response of the simulated model. */
export interface Turn {
  readonly text: string
  readonly calls: readonly ModelsCall[]
  /** Absent if the model does not answer. */
  readonly tokens?: Tokens
  /** The request that the turn answers, in a story with several. */
  readonly request?: string
  /** The first attempt fails with this status, and the client repeats it. */
  readonly failsOnce?: number
  /** The model refuses to answer. */
  readonly fails?: { readonly status: number; readonly message: string }
  /** The model answers so late that the program cancels the run before. */
  readonly delayMs?: number
  /** The limit ends the run after the turn. Frameworks may make its calls before. */
  readonly isLast?: boolean
}

interface ModelsCall {
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, string>>
}

interface Tokens {
  readonly input: number
  readonly output: number
  /** The part of the input that the provider had cached. */
  readonly cached?: number
}

/** The behavior of a tool: it returns a result, fails, calls another agent, or hands over to one. */
interface Tool {
  readonly result?: string
  readonly error?: string
  readonly agent?: string
  readonly handoff?: string
  /** Its argument is the agent's answer, and its result. */
  readonly answers?: boolean
  /** A person has to approve each call. */
  readonly approval?: boolean
}

export interface Agent {
  readonly instructions: string
  readonly tools: Readonly<Record<string, Tool>>
  readonly turns: readonly Turn[]
  /** A guardrail that stops every request. */
  readonly guardrail?: string
}

interface Workflow {
  readonly name: string
  readonly steps: readonly (string | Workflow)[]
}

export interface Story {
  readonly request: string
  /** More requests of the same conversation, each a run of its own. */
  readonly then?: readonly string[]
  readonly conversation?: string
  /** The first agent gets the request; tools or the workflow call the others or hand over to them. */
  readonly agents: Readonly<Record<string, Agent>>
  /** Agents in sequence; a step that is not an agent waits for a person. */
  readonly workflow?: Workflow
  readonly stream?: boolean
  /** Whether the person answers who is asked for an approval. */
  readonly answers?: boolean
  /** The number of model calls after which the framework ends the run. */
  readonly limit?: number
  /** The program cancels the run during the last model call. */
  readonly cancelled?: boolean
}

/** The story with a framework whose agents answer by calling a tool. */
export function answeredBy(tool: string, story: Story): Story {
  const call = ({ text }: Turn) => ({ id: `call_${text.length}`, name: tool, arguments: { answer: text } })
  const agents = Object.entries(story.agents).map(([name, agent]): [string, Agent] => {
    const turns = agent.turns.map((turn) =>
      turn.calls.length > 0 || turn.text === '' ? turn : { ...turn, text: '', calls: [call(turn)] },
    )
    return [name, { ...agent, turns, tools: { ...agent.tools, [tool]: { answers: true } } }]
  })
  return { ...story, agents: Object.fromEntries(agents) }
}

/** The story with a framework that puts a prefix before the names of tools. */
export function withPrefix(prefix: string, story: Story): Story {
  const rename = <Named extends { readonly name: string }>(call: Named): Named => ({
    ...call,
    name: prefix + call.name,
  })
  const agents = Object.entries(story.agents).map(([name, agent]): [string, Agent] => {
    const tools = Object.entries(agent.tools).map(([tool, behavior]) => [prefix + tool, behavior] as const)
    const turns = agent.turns.map((turn) => ({ ...turn, calls: turn.calls.map(rename) }))
    return [name, { ...agent, tools: Object.fromEntries(tools), turns }]
  })
  return { ...story, agents: Object.fromEntries(agents) }
}

/** Text that would make the file too large: `{"repeat": "ab", "times": 2}` is `abab`. */
interface Repeated {
  readonly repeat: string
  readonly times: number
}

const expand = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && 'repeat' in value
    ? (value as Repeated).repeat.repeat((value as Repeated).times)
    : value

/** The events of a story, for the responses of the simulated model and for comparison with the records. */
export const STORIES = JSON.parse(readFileSync(new URL('stories.json', import.meta.url), 'utf8'), expand) as Readonly<
  Record<string, Story>
>
