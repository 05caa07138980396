import { readEnvironment } from '../cli-environment.js'

/** The URL of `--clickhouse`, with the environment's password if it has none: everybody can read a command line. */
export function clickhouseUrl(asked: string): string {
  const { clickhousePassword } = readEnvironment()
  const url = URL.canParse(asked) ? new URL(asked) : undefined
  if (clickhousePassword === undefined || !url?.host || url.password !== '') return asked
  url.password = encodeURIComponent(clickhousePassword)
  return url.href
}
