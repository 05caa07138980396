import type { HistogramValue } from '../../store/metrics/index.js'

/** OpenMetrics, and the text that Prometheus read before it. */
export const FORMATS = {
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  text: 'text/plain; version=0.0.4; charset=utf-8',
} as const
export type Format = keyof typeof FORMATS

/** One without a text is left out. */
export type Labels = Readonly<Record<string, string>>

interface Described {
  /** Without what its samples' names end with; it ends with its unit. */
  readonly name: string
  readonly help: string
  readonly unit?: 'seconds' | 'bytes'
}

/** A metric with all that is known of it. */
export type Family = Described &
  (
    | { readonly type: 'counter' | 'gauge'; readonly samples: readonly (readonly [Labels, number])[] }
    | { readonly type: 'histogram'; readonly samples: readonly (readonly [Labels, HistogramValue])[] }
  )

/** Metrics as text. Those of which nothing is known are left out. */
export function exposition(families: readonly Family[], format: Format): string {
  const told = families.filter(({ samples }) => samples.length > 0).map((family) => linesOf(family, format))
  const lines = [...told.flat(), ...(format === 'openmetrics' ? ['# EOF'] : [])]
  return lines.map((line) => `${line}\n`).join('')
}

function linesOf(family: Family, format: Format): string[] {
  const { name, help, unit, type } = family
  const isOpen = format === 'openmetrics'
  // What OpenMetrics calls the metric of a counter Prometheus called by the name of its samples.
  const called = type === 'counter' && !isOpen ? `${name}_total` : name
  return [
    `# TYPE ${called} ${type}`,
    ...(isOpen && unit ? [`# UNIT ${called} ${unit}`] : []),
    `# HELP ${called} ${isOpen ? escaped(help) : help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
    ...samplesOf(family),
  ]
}

function samplesOf({ name, ...family }: Family): string[] {
  if (family.type === 'histogram') return family.samples.flatMap(([labels, value]) => bucketsOf(name, labels, value))
  const suffix = family.type === 'counter' ? '_total' : ''
  return family.samples.map(([labels, value]) => `${name}${suffix}${listOf(labels)} ${numberOf(value)}`)
}

function bucketsOf(name: string, labels: Labels, { bounds, counts, sum }: HistogramValue): string[] {
  const upTo = [...bounds, Number.POSITIVE_INFINITY]
  return [
    ...upTo.map((bound, at) => `${name}_bucket${listOf({ ...labels, le: boundOf(bound) })} ${String(counts[at] ?? 0)}`),
    `${name}_sum${listOf(labels)} ${numberOf(sum)}`,
    `${name}_count${listOf(labels)} ${String(counts.at(-1) ?? 0)}`,
  ]
}

function listOf(labels: Labels): string {
  const told = Object.entries(labels).filter(([, value]) => value !== '')
  return told.length === 0 ? '' : `{${told.map(([name, value]) => `${name}="${escaped(value)}"`).join(',')}}`
}

const escaped = (text: string): string =>
  text.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const numberOf = (value: number): string => (Number.isFinite(value) ? String(value) : infinite(value))

/** A bound as OpenMetrics writes it, so that it is the same series whoever reads it: `1.0`, `1.048576e+06`. */
function boundOf(bound: number): string {
  if (!Number.isFinite(bound)) return infinite(bound)
  if (bound < 1e6) return Number.isInteger(bound) ? `${String(bound)}.0` : String(bound)
  const [digits = '', power = ''] = bound.toExponential().split('e+')
  return `${digits}e+${power.padStart(2, '0')}`
}

function infinite(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? '+Inf' : '-Inf'
}
