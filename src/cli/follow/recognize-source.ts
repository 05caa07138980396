import { PlanspanError } from '../../error.js'
import { shownUrl } from '../../base/shown-url.js'

/** The kind of a source. */
export type RecognizedSource =
  | { readonly kind: 'files'; readonly path: string }
  | { readonly kind: 'lynxe'; readonly base: string; readonly planId: string | undefined }
  | { readonly kind: 'events'; readonly url: string; readonly method: 'GET' | 'POST' }

export const SYSTEMS = ['auto', 'lynxe', 'manus-x', 'events'] as const

/** Recognizes a source by its name, unless `system` is given. Throws `usage`. */
export function recognizeSource(source: string, system: string): RecognizedSource {
  if (!SYSTEMS.some((name) => name === system)) {
    throw new PlanspanError('usage', `--system takes one of ${SYSTEMS.join(', ')}, not ${JSON.stringify(system)}.`)
  }
  if (!/^https?:\/\//i.test(source)) return file(source, system)
  const url = URL.canParse(source) ? new URL(source) : undefined
  if (!url || url.username !== '' || url.password !== '') {
    throw new PlanspanError(
      'usage',
      `${JSON.stringify(shownUrl(source))} cannot be followed: pass a URL without a user or password, and put headers ` +
        'such as Authorization into a file for --header-file.',
    )
  }
  const path = url.pathname.replace(/\/+$/, '')
  if (system === 'manus-x' || (system === 'auto' && /\/sessions\/[^/]+(\/chat)?$/.test(path))) {
    url.pathname = path.endsWith('/chat') ? path : `${path}/chat`
    return { kind: 'events', url: url.href, method: 'POST' }
  }
  if (system === 'events' || (system === 'auto' && path.endsWith('/events'))) {
    return { kind: 'events', url: url.href, method: 'GET' }
  }
  const [, prefix = path.replace(/\/ui(\/.*)?$/, ''), planId] =
    /^(.*)\/api\/executor\/details\/([^/]+)$/.exec(path) ?? []
  return { kind: 'lynxe', base: url.origin + prefix, planId: planId && decodeURIComponent(planId) }
}

function file(path: string, system: string): RecognizedSource {
  if (system !== 'auto')
    throw new PlanspanError('usage', `--system ${system} takes a URL, not ${JSON.stringify(path)}.`)
  if (path === '-') {
    throw new PlanspanError(
      'usage',
      'Standard input cannot be read again. Write it to a file and follow that, or use `planspan import -`.',
    )
  }
  return { kind: 'files', path }
}
