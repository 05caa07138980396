import { Hono, type Context } from 'hono'

import { PlanspanError } from '../../error.js'
import { addRoute, pathParameter } from '../http/index.js'
import { preloadOutline } from './preload-outline.js'
import { toViewerFile, viewerFiles, type ViewerFile } from './viewer-files.js'

/** The page uses only its own scripts, styles and worker, and never parses text as HTML. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types planspan-worker',
].join('; ')

const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

/** The names of these files contain a digest of their content. */
const FOR_GOOD = { 'cache-control': 'public, max-age=31536000, immutable' }

export interface ViewerRouteOptions {
  /** The URL of Jaeger's page, for links. @default no links */
  readonly jaegerUrl?: string | undefined
  /** Called when a page is about to request a plan. */
  readonly onPlan: () => void
}

/**
 * Serves the page: one document at all its paths, and its files. The document refers to them by relative paths, so
 * that a proxy can serve the page below any path.
 */
export function viewerRoute({ jaegerUrl, onPlan }: ViewerRouteOptions): Hono {
  const app = new Hono()
  const fileAt = viewerFiles()

  /** Returns the document for paths from which `toRoot` leads to the server's root. */
  const page = (toRoot: './' | '../') => {
    let made: ViewerFile | undefined
    return (c: Context): Response => {
      made ??= documentOf(fileAt('index.html'), { toRoot, jaegerUrl })
      const link = preloadOutline(toRoot, c.req.param('id'), new URL(c.req.url).searchParams)
      if (link !== undefined) onPlan()
      return answer(c, made, { ...PAGE_HEADERS, ...(link === undefined ? {} : { link }) })
    }
  }
  addRoute(app, 'GET /', page('./'))
  addRoute(app, 'GET /plans', page('./'))
  addRoute(app, 'GET /plans/{id}', page('../'))
  addRoute(app, 'GET /compare', page('./'))
  addRoute(app, 'GET /assets/{name}', (c, next) => {
    const file = fileAt(`assets/${pathParameter(c, 'name')}`)
    return file ? Promise.resolve(answer(c, file, FOR_GOOD)) : next()
  })

  return app
}

function documentOf(
  built: ViewerFile | undefined,
  { toRoot, jaegerUrl }: Pick<ViewerRouteOptions, 'jaegerUrl'> & { readonly toRoot: string },
): ViewerFile {
  if (!built) {
    throw new PlanspanError(
      'not_found',
      'The page is not built. `npm run build` builds it; the API is at /api/records.',
    )
  }
  const jaeger = jaegerUrl === undefined ? '' : `<meta name="planspan-jaeger" content="${attribute(jaegerUrl)}" />`
  const text = Buffer.from(built.bytes)
    .toString()
    .replaceAll('"./assets/', `"${toRoot}assets/`)
    .replace('</head>', () => `${jaeger}</head>`)
  return toViewerFile('index.html', new TextEncoder().encode(text))
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

function answer(c: Context, { type, bytes, gzipped }: ViewerFile, headers: Record<string, string>): Response {
  const isGzipped = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
  return c.body(isGzipped ? gzipped : bytes, 200, {
    ...headers,
    'content-type': type,
    vary: 'accept-encoding',
    ...(isGzipped ? { 'content-encoding': 'gzip' } : {}),
  })
}
