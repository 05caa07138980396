import { ATTR } from '../../../src/semconv/index.js'

interface PlanRow {
  readonly traceId: string
  readonly title: string
  readonly spanId?: string
}

/** The row of a live plan's span, as ClickHouse answers it. */
export const rowOfPlan = ({ traceId, title, spanId = 'b'.repeat(16) }: PlanRow): string => {
  const row = {
    TraceId: traceId,
    SpanId: spanId,
    ParentSpanId: '',
    SpanName: 'invoke_workflow trip',
    SpanKind: 'Internal',
    ServiceName: 'agent',
    ScopeName: 'planspan',
    Start: '1772625600000000000',
    End: '1772625601000000000',
    StatusCode: 'Unset',
    StatusMessage: '',
    ResourceAttributes: {},
    SpanAttributes: {
      [ATTR.spanKind]: 'plan',
      [ATTR.planId]: 'plan',
      [ATTR.planRootId]: 'plan',
      [ATTR.planTitle]: title,
      [ATTR.state]: 'completed',
    },
    EventTimes: [],
    EventNames: [],
    EventAttributes: [],
    LinkTraceIds: [],
    LinkSpanIds: [],
    LinkAttributes: [],
  }
  return `${JSON.stringify(row)}\n`
}
