import { PlanspanError } from '../../error.js'
import { readEnvironment } from '../cli-environment.js'

/** Returns the URL of `--clickhouse`, with the password of CLICKHOUSE_PASSWORD if the URL has none. */
export function clickhouseUrl(given: string): string {
  const { clickhousePassword } = readEnvironment()
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (clickhousePassword === undefined || !url?.host || url.password !== '') return given
  url.password = encodeURIComponent(clickhousePassword)
  return url.href
}

/** The error for a ClickHouse server, which planspan does not back up or restore. */
export const embeddedOnly = (what: string): PlanspanError =>
  new PlanspanError(
    'usage',
    `planspan ${what} only the embedded ClickHouse. A ClickHouse server does it itself: ` +
      'docs/deployment.md#backups-of-a-clickhouse-of-your-own shows the statements.',
  )
