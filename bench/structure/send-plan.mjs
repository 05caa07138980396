import { ATTR } from '../../dist/semconv/index.js'
import { createSpanSender } from '../../dist/sender/index.js'
import { planRows } from '../fold/plan.mjs'

/** Sends an ended plan of some spans, each tool call with a result of some bytes; answers its ids and its spans. */
export async function sendPlan(url, { spans, payload = 2000 }) {
  const traceId = String(spans).padStart(32, '0')
  const planId = `plan-${spans}`
  const result = 'What the page said. '.repeat(Math.ceil(payload / 20))
  const rows = planRows({ spans, snapshots: 0 }).map((row) => ({
    ...row,
    traceId,
    kind: 'INTERNAL',
    attributes: {
      ...row.attributes,
      [ATTR.planId]: planId,
      [ATTR.planRootId]: planId,
      ...(row.attributes[ATTR.toolName] ? { [ATTR.toolCallResult]: result } : {}),
    },
  }))
  await sendRows(url, rows)
  return { traceId, planId, rows }
}

/** Sends spans; throws where one is rejected. */
export async function sendRows(url, rows) {
  const { rejected, reasons } = await createSpanSender({ url: `${url}/v1/traces` }).send(rows)
  if (rejected > 0) throw new Error(reasons.join(' '))
}
