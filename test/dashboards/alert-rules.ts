import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** The provisioned alert rules: their query, and the threshold of its number. */
export const ALERT_RULES = read().groups.flatMap(({ rules }) =>
  rules.map(({ uid, title, data: [query, threshold] }) => ({
    uid,
    title,
    query: query.model.rawSql,
    above: threshold.model.conditions[0].evaluator.params[0],
  })),
)

/** Replaces the current time in a query. */
export function atTime(sql: string, time: string): string {
  return sql.replaceAll(/now(?:64)?\(9?\)/g, `toDateTime('${time}')`)
}

interface Provisioned {
  readonly groups: readonly { readonly rules: readonly Rule[] }[]
}

interface Rule {
  readonly uid: string
  readonly title: string
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
