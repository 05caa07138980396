import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { parse } from 'yaml'

import { runQuery } from '../../dashboards/query/run-query.js'

/** The provisioned alert rules: their query, and the threshold of its number. */
export const ALERT_RULES = read().groups.flatMap(({ rules }) =>
  rules.map(({ uid, title, annotations, data: [query, threshold] }) => ({
    uid,
    title,
    query: query.model.rawSql,
    summary: annotations.summary,
    above: threshold.model.conditions[0].evaluator.params[0],
  })),
)

/** Replaces the current time in a query. */
export function atTime(sql: string, time: string): string {
  return sql.replaceAll(/now(?:64)?\(9?\)/g, `toDateTime('${time}')`)
}

/** An instance of an alert: the texts of a row, and its number. */
export interface Instance {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const DAY = 86_400_000

/** Returns the instances that a query finds at a time, as Grafana reads them. */
export async function instancesAt(
  at: number,
  query: string,
  source: Parameters<typeof runQuery>[0],
): Promise<Instance[]> {
  const time = new Date(at).toISOString().slice(0, 19).replace('T', ' ')
  const { frame } = await runQuery(source, { refId: 'A', rawSql: atTime(query, time), format: 1 }, [], {
    range: { from: new Date(at - DAY), to: new Date(at) },
    intervalMs: DAY,
  })
  const value = frame.fields.find(({ type }) => type === 'number')
  const labels = frame.fields.filter((field) => field !== value)
  // Grafana uses the single number of a row as the value, and its texts as the labels of the alert.
  expect(labels.filter(({ type }) => type !== 'string')).toEqual([])
  return Array.from({ length: frame.length }, (_, row) => ({
    labels: Object.fromEntries(labels.map(({ name, values }) => [name, String(values[row])])),
    value: Number(value?.values[row]),
  }))
}

interface Provisioned {
  readonly groups: readonly { readonly rules: readonly Rule[] }[]
}

interface Rule {
  readonly uid: string
  readonly title: string
  readonly annotations: { readonly summary: string }
  readonly data: readonly [
    { readonly model: { readonly rawSql: string } },
    {
      readonly model: { readonly conditions: readonly [{ readonly evaluator: { readonly params: readonly [number] } }] }
    },
  ]
}

function read(): Provisioned {
  return parse(readFileSync(new URL('../../dashboards/provisioning/alerting/planspan.yaml', import.meta.url), 'utf8'))
}
