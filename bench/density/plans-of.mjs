import { OWN } from './make.mjs'

const SPANS = 50

/** Plans of 50 spans that went well, all over the time, in no order. */
export async function plansOf(build, count) {
  const plans = await build.rows(
    `SELECT PlanId, TraceId FROM ${OWN}.plans WHERE Spans = ${SPANS} AND Template < (SELECT usual FROM ${OWN}.made)
     ORDER BY cityHash64(Plan) LIMIT ${count}`,
  )
  if (plans.length < count) throw new Error(`There are ${plans.length} plans of ${SPANS} spans, not ${count}: --spans`)
  return plans
}
