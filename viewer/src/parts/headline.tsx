import { pagePath, type PlanJson } from 'planspan/client'

import { nameOf } from '../list/plan-rows.js'
import { durationText } from '../model/quantity.js'
import { linkTo } from '../url/base.js'
import { now } from './now.js'

/** What to know first about a plan. Each remark leads to its span. */
export function Headline({ plan }: { readonly plan: PlanJson }) {
  return (
    <>
      {plan.headline.map(({ kind, text, spanId, since }) => (
        <a
          key={`${kind} ${spanId}`}
          class="remark"
          data-kind={kind}
          href={linkTo(pagePath(nameOf(plan), { view: 'tree', span: spanId }))}
          title={text}
        >
          {text}
          {since !== null && ` for ${durationText(Math.max(0, now.value - Date.parse(since)))}`}
        </a>
      ))}
    </>
  )
}
