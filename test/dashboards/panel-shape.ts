import type { Frame } from '../../dashboards/query/frame.js'
import type { PanelModel } from '../../dashboards/query/model.js'

const TRACE_COLUMNS = {
  traceID: 'string',
  spanID: 'string',
  parentSpanID: 'string',
  serviceName: 'string',
  operationName: 'string',
  startTime: 'number',
  duration: 'number',
  tags: 'other',
  serviceTags: 'other',
  statusCode: 'number',
  kind: 'string',
  statusMessage: 'string',
  logs: 'other',
  references: 'other',
} as const

/** The problems of a result for its kind of panel; empty if it has no problem. */
export function shapeProblems(panel: PanelModel, frame: Frame): string[] {
  return [
    ...missingColumns(panel, frame),
    ...missingLinkFields(panel, frame),
    ...(SHAPES[panel.type] ?? unknown)(frame),
  ]
}

const SHAPES: Readonly<Record<string, (frame: Frame) => string[]>> = {
  stat: (frame) => (frame.length === 1 ? [] : [`${frame.length} rows instead of one`]),
  timeseries: ({ fields: [time, ...values] }) => [
    ...(time?.type === 'time' ? [] : ['the first column is no time']),
    ...(isAscending(time?.values ?? []) ? [] : ['the times do not ascend']),
    ...(values.length > 0 ? [] : ['no series']),
    ...values.filter(({ type }) => type !== 'number').map(({ name, type }) => `${name} is a ${type}, no number`),
  ],
  bargauge: ({ fields }) => {
    const types = fields.map(({ type }) => type).join(', ')
    return types === 'string, number' ? [] : [`columns ${types} instead of a name and a number`]
  },
  table: ({ fields }) =>
    fields
      .filter(({ type }) => type === 'other')
      .map(({ name, columnType }) => `${name} is ${columnType}, which a table shows as JSON`),
  traces: ({ fields }) =>
    Object.entries(TRACE_COLUMNS).flatMap(([name, type]) => {
      const found = fields.find((field) => field.name === name)?.type
      return found === type ? [] : [`${name} is ${found ?? 'missing'} instead of ${type}`]
    }),
}

const unknown = () => ['no known kind of panel']

// A series is named by its labels and may be missing; a column may not.
function missingColumns({ type, fieldConfig }: PanelModel, { fields }: Frame): string[] {
  if (type === 'timeseries') return []
  const names = new Set(fields.map(({ name }) => name))
  return (fieldConfig?.overrides ?? [])
    .filter(({ matcher }) => matcher.id === 'byName' && !names.has(String(matcher.options)))
    .map(({ matcher }) => `an override names ${String(matcher.options)}, which is no column`)
}

function missingLinkFields({ fieldConfig }: PanelModel, { fields }: Frame): string[] {
  return [...JSON.stringify(fieldConfig ?? {}).matchAll(/__data\.fields\.(\w+)/g)]
    .map(([, name]) => name)
    .filter((name) => !fields.some((field) => field.name === name))
    .map((name) => `a link names ${name}, which is no column`)
}

function isAscending(values: readonly unknown[]): boolean {
  return values.every((value, index) => index === 0 || Number(values[index - 1]) < Number(value))
}
