import { TENANT_NAME } from '../../access/index.js'
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

const RESERVED = /^(system|information_schema|default)$/i

/** Throws `usage` for an invalid tenant name. */
export function checkTenantName(name: string): void {
  if (TENANT_NAME.test(name) && !RESERVED.test(name)) return
  throw new PlanspanError(
    'usage',
    `${JSON.stringify(name)} is not a valid tenant name: use up to 64 letters, digits and _, not beginning with a digit, and ` +
      'no name that ClickHouse reserves.',
  )
}
