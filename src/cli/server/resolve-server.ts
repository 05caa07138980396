import { PlanspanError } from '../../error.js'
import { shownUrl } from '../../base/shown-url.js'
import type { Options } from '../command.js'
import { readEnvironment } from '../cli-environment.js'
import { readConfigFile } from './config-file.js'

/** The options of commands that talk to a server. */
export const serverOptions = {
  endpoint: {
    type: 'string',
    valueHint: 'URL',
    description:
      'The planspan server (default: PLANSPAN_ENDPOINT, OTEL_EXPORTER_OTLP_ENDPOINT, the configuration file, else http://127.0.0.1:4318)',
  },
  config: {
    type: 'string',
    valueHint: 'FILE',
    description:
      'A file with {"endpoint", "token"} (default: PLANSPAN_CONFIG, else planspan/config.json in XDG_CONFIG_HOME or ~/.config)',
  },
} as const satisfies Options

/** A server, and the credentials and headers of each request. */
export interface Server {
  /** Without a slash at the end. */
  readonly endpoint: string
  /** The source of the endpoint, such as `--endpoint` or a file's path. */
  readonly namedBy: string
  readonly token?: string
  /** The source of the token, such as `PLANSPAN_TOKEN`. */
  readonly tokenOf?: string
  /** The sources of tokens that belong to other servers and are not sent. */
  readonly unsent: readonly string[]
  readonly headers: Readonly<Record<string, string>>
}

const LOCAL = 'http://127.0.0.1:4318'

/**
 * Resolves the server of a command: the option's, else the environment's, else the configuration file's, else the local
 * default. A token is sent only to the server it belongs to: PLANSPAN_TOKEN to that of PLANSPAN_ENDPOINT, else of the
 * file; the file's token to the file's. OTEL_EXPORTER_OTLP_HEADERS are sent to that of OTEL_EXPORTER_OTLP_ENDPOINT.
 */
export async function resolveServer(asked: {
  readonly endpoint?: string | undefined
  readonly config?: string | undefined
}): Promise<Server> {
  const environment = readEnvironment()
  const file = await readConfigFile(asked.config)
  const named = [
    { url: asked.endpoint, by: '--endpoint' },
    { url: environment.endpoint, by: 'PLANSPAN_ENDPOINT' },
    { url: environment.otlpEndpoint, by: 'OTEL_EXPORTER_OTLP_ENDPOINT' },
    { url: file?.endpoint, by: file?.path ?? '' },
  ]
  const { url = LOCAL, by } = named.find((one) => one.url !== undefined) ?? { by: 'default' }
  const endpoint = serverUrl(url, by)
  const isHere = (other: string | undefined, by: string): boolean =>
    other !== undefined && addressOf(serverUrl(other, by)) === addressOf(endpoint)
  const tokens = [
    { token: environment.token, of: 'PLANSPAN_TOKEN', for: environment.endpoint ?? file?.endpoint },
    { token: file?.token, of: file?.path ?? '', for: file?.endpoint },
  ].flatMap(({ token, of, for: server }) => (token === undefined ? [] : [{ token, of, isSent: isHere(server, of) }]))
  const sent = tokens.find(({ isSent }) => isSent)
  return {
    endpoint,
    namedBy: by,
    ...(sent && { token: sent.token, tokenOf: sent.of }),
    unsent: tokens.filter(({ isSent }) => !isSent).map(({ of }) => of),
    headers: isHere(environment.otlpEndpoint ?? LOCAL, 'OTEL_EXPORTER_OTLP_ENDPOINT') ? environment.otlpHeaders : {},
  }
}

/** A server that the command has started itself. */
export const ownServer = (endpoint: string): Server => ({ endpoint, namedBy: 'planspan', unsent: [], headers: {} })

/**
 * Checks a server's URL and returns it without a trailing slash. Also accepts the receiver's URL, which `serve` prints
 * and exporters are configured with. Throws `usage` for an invalid URL, without revealing a password in it.
 */
export function serverUrl(url: string, namedBy: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '') {
    throw new PlanspanError(
      'usage',
      `${JSON.stringify(shownUrl(url))} is not a valid endpoint (${namedBy}). Use a URL such as http://127.0.0.1:4318, without a user or password.`,
    )
  }
  return url.replace(/(\/v1\/traces)?\/*$/, '')
}

/** Normalizes a server's URL for comparison. */
const addressOf = (endpoint: string): string => {
  const { origin, pathname } = new URL(endpoint)
  return `${origin}${pathname}`.replace(/\/+$/, '')
}
