import type { DynamicConfigValue, Threshold, ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard'
import type { DataLink } from './links.js'
import { colouredText, RISK_STEPS, safeOrNot, STATE_COLOURS } from './look.js'

/** The display options of a table column. */
export interface Column {
  readonly title?: string
  readonly unit?: string
  readonly decimals?: number
  readonly width?: number
  readonly link?: DataLink
  readonly mappings?: ValueMapping[]
  readonly thresholds?: Threshold[]
  readonly max?: number
  /** Colors the text or the whole cell, or draws a bar. */
  readonly cell?: 'color-text' | 'color-background' | 'gauge'
  /** Breaks long text into lines instead of cutting it. */
  readonly wrap?: boolean
  /** Hides the column. Links can still refer to it. */
  readonly hidden?: boolean
}

const CELLS = {
  'color-text': { type: 'color-text' },
  'color-background': { type: 'color-background', mode: 'basic' },
  gauge: { type: 'gauge', mode: 'basic', valueDisplayMode: 'text' },
} as const

/** Returns the override properties of a column. */
export function columnProperties(column: Column): DynamicConfigValue[] {
  const { title, unit, decimals, width, link, mappings, max, cell, wrap, hidden } = column
  const properties: readonly (readonly [id: string, value: unknown])[] = [
    ['displayName', title],
    ['unit', unit],
    ['decimals', decimals],
    ['max', max],
    ['min', max === undefined ? undefined : 0],
    ['mappings', mappings],
    ['thresholds', column.thresholds && { mode: 'absolute', steps: column.thresholds }],
    ['color', column.thresholds && { mode: 'thresholds' }],
    ['links', link && [{ ...link, targetBlank: false }]],
    ['custom.width', width],
    ['custom.cellOptions', wrap ? { type: 'auto', wrapText: true } : cell && CELLS[cell]],
    ['custom.wrapText', wrap],
    ['custom.hidden', hidden],
    ['custom.hideFrom', hidden === undefined ? undefined : { viz: true }],
  ]
  return properties.filter(([, value]) => value !== undefined).map(([id, value]) => ({ id, value }))
}

/** Columns that look the same in all tables. */
export const COLUMN = {
  time: (title: string, link?: DataLink): Column => ({
    title,
    // By default, Grafana shows milliseconds for times that are close together, and cuts them off.
    unit: 'time:YYYY-MM-DD HH:mm:ss',
    width: 165,
    ...(link && { link }),
  }),
  state: { title: 'State', width: 110, mappings: colouredText(STATE_COLOURS), cell: 'color-text' },
  duration: (title: string): Column => ({ title, unit: 'ms', decimals: 1, width: 110 }),
  hidden: { hidden: true },
  text: { wrap: true },
  tokens: (title: string): Column => ({ title, unit: 'short', width: 100 }),
  dollars: (title: string): Column => ({ title, unit: 'currencyUSD', decimals: 4, width: 100 }),
  risk: (title: string): Column => ({
    title,
    decimals: 2,
    max: 1,
    width: 100,
    thresholds: RISK_STEPS,
    cell: 'color-text',
  }),
  isSafe: { title: 'Verdict', width: 90, mappings: safeOrNot, cell: 'color-text' },
  share: (title: string): Column => ({ title, unit: 'percentunit', decimals: 1, width: 110 }),
} as const satisfies Record<string, Column | ((title: string) => Column) | ((title: string, link?: DataLink) => Column)>
