import { countText, durationText, wholeCount } from '../model/quantity.js'
import { roleWord } from '../model/words.js'
import { Glyph } from '../parts/glyph.js'
import type { GraphStore } from './graph-store.js'

/** The calls of the graph as a list; a click on a call selects its first span, then the next. */
export function GraphTable({ store }: { readonly store: GraphStore }) {
  const { nodes, edges } = store.graph.value
  return (
    <div class="scroller" tabIndex={0} role="group" aria-label="Calls">
      <table class="graph-table">
        <thead>
          <tr>
            <th scope="col">Who</th>
            <th scope="col">called</th>
            <th scope="col" class="number">
              Calls
            </th>
            <th scope="col" class="number">
              Failed
            </th>
            <th scope="col" class="number">
              Tokens
            </th>
            <th scope="col" class="number">
              Duration
            </th>
          </tr>
        </thead>
        <tbody>
          {[...edges.values()].map((edge) => {
            const [from, to] = [nodes.get(edge.from), nodes.get(edge.to)]
            if (!from || !to) return null
            return (
              <tr key={edge.key} class={edge.key === store.selectedEdge.value ? 'selected' : undefined}>
                <td>
                  <Glyph role={from.role} />
                  <span class="spoken">{roleWord(from.role)} </span>
                  {from.name}
                </td>
                <td>
                  <button type="button" onClick={() => store.selectIn(edge)}>
                    <Glyph role={to.role} />
                    <span class="spoken">{roleWord(to.role)} </span>
                    {to.name}
                  </button>
                </td>
                <td class="number">{wholeCount(edge.spans.length)}</td>
                <td class="number">{edge.failures > 0 && <span class="failures">{wholeCount(edge.failures)}</span>}</td>
                <td class="number">{edge.tokens > 0 ? countText(edge.tokens) : ''}</td>
                <td class="number">{durationText(edge.duration)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
