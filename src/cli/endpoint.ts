import { PlanspanError } from '../error.js'
import { readEnvironment } from './environment.js'

/** The `--endpoint` option of the commands that speak with a server. */
export const endpointArg = {
  endpoint: {
    type: 'string',
    valueHint: 'URL',
    description: 'The planspan server (default: OTEL_EXPORTER_OTLP_ENDPOINT, else http://127.0.0.1:4318)',
  },
} as const

/**
 * The server's URL without a slash at the end: what was asked for, else the environment's, else the local default. The
 * receiver's own URL, which `serve` prints and other tools take, is as good.
 */
export function resolveEndpoint(asked: string | undefined): string {
  const url = asked ?? readEnvironment().endpoint ?? 'http://127.0.0.1:4318'
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new PlanspanError('usage', `${JSON.stringify(url)} is no endpoint. Give a URL such as http://127.0.0.1:4318.`)
  }
  return url.replace(/(\/v1\/traces)?\/*$/, '')
}
