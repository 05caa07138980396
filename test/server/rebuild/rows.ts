import { ATTR } from '../../../src/semconv/index.js'

interface PlanRow {
  readonly traceId: string
  readonly title: string
  readonly spanId?: string
}

/** The row of a live plan's span, as ClickHouse returns it. */
export const rowOfPlan = ({ traceId, title, spanId = 'b'.repeat(16) }: PlanRow): string => {
  const attributes = {
    [ATTR.spanKind]: 'plan',
    [ATTR.planId]: 'plan',
    [ATTR.planRootId]: 'plan',
    [ATTR.planTitle]: title,
    [ATTR.state]: 'completed',
  }
  const about = [traceId, spanId, '', 'invoke_workflow trip', 'Internal', 'agent', 'planspan']
  const outcome = ['1772625600000000000', '1772625601000000000', 'Unset', '']
  const row = [...about, ...outcome, {}, attributes, [], [], [], [], [], []]
  return `${JSON.stringify(row)}\n`
}
