import { riskText } from '../model/quantity.js'
import { HIGH_RISK, isFailed } from '../model/row.js'
import type { Node } from '../model/tree.js'
import { StateSign } from '../parts/state-mark.js'

interface MarksProps {
  readonly node: Node
  readonly isOpen: boolean
}

/** The most important facts of a span; for a closed branch also of its descendants. */
export function Marks({ node, isOpen }: MarksProps) {
  const { row } = node
  const hides = !isOpen && node.children.length > 0
  const isGoing = row.state !== null && row.state !== 'completed' && row.state !== 'failed'
  return (
    <>
      {isGoing && row.state && (
        <span class="state" data-state={row.state}>
          <StateSign state={row.state} />
          <span class="mark-word">{row.state}</span>
        </span>
      )}
      {isFailed(row) || row.failure !== null ? (
        <span class="mark failures" title={row.failure ?? ''}>
          ✕ <span class="mark-word">failed</span>
        </span>
      ) : (
        hides &&
        node.causes > 0 && (
          <span class="mark failures">
            ✕ {node.causes} <span class="mark-word">below</span>
          </span>
        )
      )}
      <Judged node={node} hides={hides} />
    </>
  )
}

function Judged({ node: { row, taken, stopped, risk }, hides }: { readonly node: Node; readonly hides: boolean }) {
  if (row.judgement === 'taken' || (hides && taken > 0))
    return (
      <span class="mark taken">
        ▲ taken <span class="mark-word">although unsafe</span>
      </span>
    )
  if (row.judgement === 'stopped' || (hides && stopped > 0)) {
    return <span class="mark stopped">■ stopped{row.risk === null ? '' : `, ${riskText(row.risk)}`}</span>
  }
  if (row.judgement === 'unsafe') return <span class="mark unsafe">▲ unsafe</span>
  if (row.role === 'guardrail' && row.risk !== null) return <span class="mark muted">{riskText(row.risk)}</span>
  return hides && risk !== null && risk >= HIGH_RISK ? <span class="mark unsafe">risk {riskText(risk)}</span> : null
}
