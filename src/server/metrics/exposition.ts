import type { HistogramValue } from '../../store/metrics/index.js'

/** OpenMetrics, and the older text format of Prometheus. */
export const FORMATS = {
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  text: 'text/plain; version=0.0.4; charset=utf-8',
} as const
export type Format = keyof typeof FORMATS

/** Labels with an empty value are omitted. */
export type Labels = Readonly<Record<string, string>>

interface Described {
  /** The name without the suffixes of its samples. It ends with its unit. */
  readonly name: string
  readonly help: string
  readonly unit?: 'seconds' | 'bytes'
}

/** A metric with its samples. */
export type Family = Described &
  (
    | { readonly type: 'counter' | 'gauge'; readonly samples: readonly (readonly [Labels, number])[] }
    | { readonly type: 'histogram'; readonly samples: readonly (readonly [Labels, HistogramValue])[] }
  )

/** Writes metrics as text. Metrics without samples are omitted. */
export function exposition(families: readonly Family[], format: Format): string {
  const present = families.filter(({ samples }) => samples.length > 0).map((family) => linesOf(family, format))
  const lines = [...present.flat(), ...(format === 'openmetrics' ? ['# EOF'] : [])]
  return lines.map((line) => `${line}\n`).join('')
}

function linesOf(family: Family, format: Format): string[] {
  const { name, help, unit, type } = family
  const isOpen = format === 'openmetrics'
  // The older text format names a counter by its samples.
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
  const present = Object.entries(labels).filter(([, value]) => value !== '')
  return present.length === 0 ? '' : `{${present.map(([name, value]) => `${name}="${escaped(value)}"`).join(',')}}`
}

const escaped = (text: string): string =>
  text.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const numberOf = (value: number): string => (Number.isFinite(value) ? String(value) : infinite(value))

/** Writes a bound in OpenMetrics' canonical form, so that it is the same series for all readers: `1.048576e+06`. */
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
