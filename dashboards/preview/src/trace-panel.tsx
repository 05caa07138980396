import { formattedValueToString, getValueFormat, type GrafanaTheme2 } from '@grafana/data'
import type { PanelProps } from './panel-props'

interface Span {
  readonly id: string
  readonly parent: string
  readonly name: string
  readonly service: string
  readonly start: number
  readonly duration: number
  readonly failed: boolean
}

const ROW = 26
const NAMES = 420
const LABEL = 70

/** A waterfall of spans. Grafana's trace view is not published as a package; this view shows the same rows. */
export function TracePanel({ frames, width, theme }: PanelProps) {
  const spans = readSpans(frames[0]?.fields ?? [])
  const start = Math.min(...spans.map((span) => span.start))
  const end = Math.max(...spans.map((span) => span.start + span.duration))
  const chart = width - NAMES - LABEL
  const x = (time: number) => ((time - start) / Math.max(end - start, 1)) * chart
  return (
    <svg width={width} height={tree(spans).length * ROW} fontFamily={theme.typography.fontFamily} fontSize={13}>
      {tree(spans).map(({ span, depth }, row) => (
        <g key={span.id} transform={`translate(0, ${row * ROW})`}>
          <rect width={4} height={ROW - 6} x={depth * 16} y={3} fill={colour(span, theme)} />
          <text x={depth * 16 + 10} y={ROW - 9} fill={theme.colors.text.primary}>
            {span.name}
          </text>
          <line x1={NAMES} x2={width} y1={ROW - 0.5} y2={ROW - 0.5} stroke={theme.colors.border.weak} />
          <rect
            x={NAMES + x(span.start)}
            y={6}
            width={Math.max(x(span.start + span.duration) - x(span.start), 2)}
            height={ROW - 12}
            rx={2}
            fill={colour(span, theme)}
          />
          <text x={NAMES + x(span.start + span.duration) + 6} y={ROW - 9} fill={theme.colors.text.secondary}>
            {text(span.duration)}
          </text>
        </g>
      ))}
    </svg>
  )
}

function text(milliseconds: number): string {
  return formattedValueToString(getValueFormat('ms')(milliseconds, 1))
}

function readSpans(fields: readonly { name: string; values: ArrayLike<unknown> }[]): Span[] {
  const column = (name: string) => fields.find((field) => field.name === name)?.values ?? []
  return Array.from(column('spanID'), (id, row) => ({
    id: String(id),
    parent: String(column('parentSpanID')[row]),
    name: String(column('operationName')[row]),
    service: String(column('serviceName')[row]),
    start: Number(column('startTime')[row]),
    duration: Number(column('duration')[row]),
    failed: Number(column('statusCode')[row]) === 2,
  }))
}

function tree(spans: readonly Span[]): { span: Span; depth: number }[] {
  const ids = new Set(spans.map(({ id }) => id))
  const below = (parent: string | undefined, depth: number): { span: Span; depth: number }[] =>
    spans
      .filter((span) => (parent === undefined ? !ids.has(span.parent) : span.parent === parent))
      .sort((left, right) => left.start - right.start)
      .flatMap((span) => [{ span, depth }, ...below(span.id, depth + 1)])
  return below(undefined, 0)
}

const COLOURS: Readonly<Record<string, string>> = {
  invoke_workflow: 'dark-blue',
  plan: 'light-blue',
  invoke_agent: 'purple',
  agent_step: 'light-purple',
  chat: 'orange',
  run_guardrail: 'yellow',
  execute_tool: 'green',
  wait_for_user: 'semi-dark-orange',
}

function colour(span: Span, theme: GrafanaTheme2): string {
  const kind = span.name.split(' ')[0] ?? ''
  return theme.visualization.getColorByName(span.failed ? 'red' : (COLOURS[kind] ?? 'blue'))
}
