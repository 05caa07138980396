import { ClickHouseError } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { shownUrl } from '../../base/shown-url.js'

export const ENCODING_ADVICE =
  'Percent-encode all characters except letters and digits in the user and the password (@ as %40, / as %2F, # as %23, ' +
  '% as %25), or set the environment variable CLICKHOUSE_PASSWORD to the unencoded password'

/** ClickHouse's error codes UNKNOWN_DATABASE, UNKNOWN_TABLE, UNKNOWN_IDENTIFIER, NO_SUCH_COLUMN_IN_TABLE. */
const SCHEMA_MISSING = new Set(['81', '60', '47', '16'])
/** ClickHouse's error codes AUTHENTICATION_FAILED, UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD. */
const CREDENTIALS_REFUSED = new Set(['516', '192', '193', '194'])
/** ClickHouse's error codes READONLY and ACCESS_DENIED. */
const DENIED = new Set(['164', '497'])
/** ClickHouse's error code NOT_ENOUGH_SPACE, and the messages of full disks within other errors. */
const DISK_FULL = '243'
const NO_SPACE = /not enough space|No space left on device|Disk quota exceeded/
/** ClickHouse's error codes ALL_CONNECTION_TRIES_FAILED, NETWORK_ERROR, SOCKET_TIMEOUT. */
const SHARD_UNREACHABLE = new Set(['279', '210', '209'])

/**
 * Returns the PlanspanError for a failed request: `schema_mismatch` if the database, a table or a column is missing,
 * `store_unreachable` if ClickHouse or a shard does not respond or the login is refused, `access_denied` if the user
 * may not do it, `disk_full`, else `clickhouse_failed`.
 */
export function storeError(error: unknown, { url, database }: { url: string; database: string }): PlanspanError {
  if (error instanceof PlanspanError) return error
  const shown = shownUrl(url)
  const said = error instanceof Error ? firstLine(error.message) || error.name : String(error)
  if (!(error instanceof ClickHouseError)) {
    const reason = (error as { code?: unknown }).code ?? said
    return new PlanspanError(
      'store_unreachable',
      `ClickHouse at ${shown} does not answer (${String(reason)}). Start it, or give the right URL with --clickhouse.`,
      { cause: error },
    )
  }
  if (CREDENTIALS_REFUSED.has(error.code)) {
    return new PlanspanError(
      'store_unreachable',
      `ClickHouse at ${shown} refuses the user or the password. Give both in the URL: http://user:password@host:8123. ${ENCODING_ADVICE}.`,
      { cause: error },
    )
  }
  if (SCHEMA_MISSING.has(error.code)) {
    return new PlanspanError(
      'schema_mismatch',
      `The database ${database} at ${shown} lacks a table or column that planspan reads (${said}). ` +
        `Run \`planspan serve --clickhouse ${shown} --database ${database}\` once, or apply what \`planspan schema\` prints.`,
      { cause: error },
    )
  }
  if (DENIED.has(error.code)) {
    return new PlanspanError(
      'access_denied',
      `ClickHouse at ${shown} denies this user the operation: ${said.trim()} ${RIGHTS_GUIDE}.`,
      { cause: error },
    )
  }
  if (error.code === DISK_FULL || NO_SPACE.test(error.message)) return noRoom(said.trim(), error)
  if (SHARD_UNREACHABLE.has(error.code)) {
    const address = /\(([^\s,()]+:\d+)/.exec(error.message)?.[1]
    return new PlanspanError(
      'store_unreachable',
      `${address === undefined ? 'A shard' : `The shard at ${address}`} does not answer ClickHouse at ${shown}, and without ` +
        'it answers would be incomplete. Start it, or a replica of it, and try again.',
      { cause: error },
    )
  }
  return new PlanspanError(
    'clickhouse_failed',
    `ClickHouse at ${shown} failed: ${said} (code ${error.code}). Look into its log for more.`,
    { cause: error },
  )
}

/** Whether ClickHouse cannot answer any query: the login is refused, its disk is full, or a shard does not answer. */
export const isOwnFailure = ({ code }: ClickHouseError): boolean =>
  CREDENTIALS_REFUSED.has(code) || SHARD_UNREACHABLE.has(code) || code === DISK_FULL

/** Whether the user lacks a right; a retry does not help. */
export const isDenied = (error: unknown): error is ClickHouseError =>
  error instanceof ClickHouseError && DENIED.has(error.code)

/** The documentation of the rights that users need. */
export const RIGHTS_GUIDE = 'docs/deployment.md#rights-in-clickhouse lists the rights that each user needs'

const firstLine = (text: string): string => text.split('\n', 1)[0]?.slice(0, 500) ?? ''

/** The error for a store without room for spans; `said` is ClickHouse's message, or a description of the disk. */
export const noRoom = (said: string, cause?: unknown): PlanspanError =>
  new PlanspanError(
    'disk_full',
    `ClickHouse's disk is full (${said}): no spans can be stored, but reading continues. Free some space; storing then ` +
      'resumes by itself.',
    { cause },
  )
