import { PlanspanError } from '../../error.js'
import { shownUrl } from '../../shown-url.js'
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

/** A server, and what is sent to it with each request. */
export interface Server {
  /** Without a slash at the end. */
  readonly endpoint: string
  /** What named it, such as `--endpoint` or a file's path. */
  readonly namedBy: string
  readonly token?: string
  /** What has the token, such as `PLANSPAN_TOKEN`. */
  readonly tokenOf?: string
  /** What have tokens that are for other servers, and not sent. */
  readonly unsent: readonly string[]
  readonly headers: Readonly<Record<string, string>>
}

const LOCAL = 'http://127.0.0.1:4318'

/**
 * The server that a command talks to: the option's, else the environment's, else the configuration file's, else the
 * local default. A token goes to the server that it is for: PLANSPAN_TOKEN to that of PLANSPAN_ENDPOINT, else of the
 * file; the file's to the file's. OTEL_EXPORTER_OTLP_HEADERS go to that of OTEL_EXPORTER_OTLP_ENDPOINT.
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

/** A server that a command has started itself. */
export const ownServer = (endpoint: string): Server => ({ endpoint, namedBy: 'planspan', unsent: [], headers: {} })

/**
 * A server's URL without a slash at the end. The receiver's URL, which `serve` prints and exporters are configured
 * with, is accepted as well. Throws `usage` for what is no URL, without telling a password in it.
 */
export function serverUrl(url: string, namedBy: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '') {
    throw new PlanspanError(
      'usage',
      `${JSON.stringify(shownUrl(url))} is no endpoint (${namedBy}). Give a URL such as http://127.0.0.1:4318, without a user or password.`,
    )
  }
  return url.replace(/(\/v1\/traces)?\/*$/, '')
}

/** A server's URL in the one way of writing it. */
const addressOf = (endpoint: string): string => {
  const { origin, pathname } = new URL(endpoint)
  return `${origin}${pathname}`.replace(/\/+$/, '')
}
