import { appendTo } from '../../../base/append.js'
import type { AskedCall } from './asked-calls.js'
import type { AdoptNode } from '../adopt-node.js'
import { factOfNode } from '../values/node-facts.js'
import { TOOL_ARGUMENTS, TOOL_CALL_ID, TOOL_NAME } from '../values/fact-places.js'
import { toolArguments } from '../values/tool-values.js'

/** The tool calls of a cycle and the requests of its models, matched. */
export interface Matches {
  /** The request that each tool call answers. */
  readonly requests: ReadonlyMap<AdoptNode, AskedCall>
  /** The requests without a tool call. */
  readonly unmet: readonly AskedCall[]
  /** The tool calls without a request. */
  readonly spare: readonly AdoptNode[]
}

type Key = (name: string | undefined, values: () => string) => string | undefined

/** What a tool call and its request have in common besides an id, from the strongest evidence to the weakest. */
const COMMON: readonly Key[] = [
  (name, values) => (name === undefined ? undefined : `${name} ${values()}`),
  (name) => name,
  (_, values) => values(),
]

/**
 * Matches the tool calls of a cycle with the requests of its models: by id, by name and arguments, by either, and by
 * order if as many of both remain.
 */
export function matchCalls(tools: readonly AdoptNode[], asked: readonly AskedCall[]): Matches {
  const requests = new Map<AdoptNode, AskedCall>()
  const ids = new Map(asked.flatMap((call) => (call.id === undefined ? [] : [[call.id, call] as const])))
  let spare = tools.filter((tool) => {
    const id = factOfNode(tool, TOOL_CALL_ID)
    const call = id === undefined ? undefined : ids.get(id)
    if (call === undefined) return true
    requests.set(tool, call)
    ids.delete(id as string)
    return false
  })
  const met = new Set(requests.values())
  let unmet = asked.filter((call) => !met.has(call))
  const pair = (tool: AdoptNode, call: AskedCall): void => {
    requests.set(tool, call)
    met.add(call)
  }
  for (const key of COMMON) {
    if (spare.length === 0 || unmet.length === 0) break
    pairBy(key, { tools: spare, asked: unmet, pair })
    spare = spare.filter((tool) => !requests.has(tool))
    unmet = unmet.filter((call) => !met.has(call))
  }
  if (spare.length === unmet.length) {
    for (const [at, tool] of spare.entries()) pair(tool, unmet[at] as AskedCall)
    return { requests, unmet: [], spare: [] }
  }
  return { requests, unmet, spare }
}

interface Pairing {
  readonly tools: readonly AdoptNode[]
  readonly asked: readonly AskedCall[]
  readonly pair: (tool: AdoptNode, call: AskedCall) => void
}

function pairBy(key: Key, { tools, asked, pair }: Pairing): void {
  const open = new Map<string, AskedCall[]>()
  for (const call of asked) {
    const common = key(call.name, () => unspaced(call.arguments))
    if (common !== undefined) appendTo(open, common, call)
  }
  for (const tool of tools) {
    const common = key(factOfNode(tool, TOOL_NAME), () => unspaced(toolArguments(factOfNode(tool, TOOL_ARGUMENTS))))
    const call = common === undefined ? undefined : open.get(common)?.shift()
    if (call) pair(tool, call)
  }
}

/** JSON is written with and without spaces. */
const unspaced = (text = ''): string => text.replaceAll(/\s+/g, '')
