import { absorb, type AdoptNode, byStart } from '../adopt-node.js'
import { factOf } from '../values/fact-place.js'
import { TOOL_CALL_ID, TOOL_NAME } from '../values/fact-places.js'
import { isServed } from './mcp.js'

/** Joins the calls on a server of tools with the client's calls beside them, during which they ran. */
export function joinServed(nodes: readonly AdoptNode[]): void {
  const tools = nodes.filter(({ own, kind }) => own === undefined && kind === 'tool')
  if (!tools.some(({ span }) => isServed(span))) return
  let open: AdoptNode[] = []
  for (const tool of tools.toSorted(byStart)) {
    open = open.filter(({ span }) => span.endTimeUnixNano >= tool.span.startTimeUnixNano)
    const client = isServed(tool.span) ? open.find((each) => isServedFor(tool, each)) : undefined
    if (client) {
      absorb(client, tool)
      open.splice(open.indexOf(client), 1)
    } else if (!isServed(tool.span)) open.push(tool)
  }
}

const isServedFor = (tool: AdoptNode, client: AdoptNode): boolean =>
  tool.parent === client.parent &&
  tool.span.endTimeUnixNano <= client.span.endTimeUnixNano &&
  factOf(tool.span, TOOL_CALL_ID) === undefined &&
  isSameName(factOf(client.span, TOOL_NAME), factOf(tool.span, TOOL_NAME))

/** Clients may put the name of the server before that of its tool, as in `mcp__shop__search`. */
export function isSameName(outer: string | undefined, inner: string | undefined): boolean {
  if (outer === inner || outer === undefined || inner === undefined) return outer === inner
  return outer.endsWith(inner) && /[^a-z\d]$/i.test(outer.slice(0, -inner.length))
}
