import { Hono, type Context } from 'hono'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { gzipSync } from 'node:zlib'

import { PlanspanError } from '../error.js'
import { recordIdOf, recordSegment } from '../wire/record-path/index.js'
import { addRoute, pathParameter } from './http/index.js'

/** A header of this length passes all proxies. */
const MAX_SEGMENT = 2_000

/**
 * Returns the header that makes a browser request a plan's outline while it still loads the page, exactly as the page's
 * client does later; undefined for a page without a plan. `toRoot` leads from the page to the root of the server.
 */
function preloadOutline(toRoot: string, segment: string | undefined, query: URLSearchParams): string | undefined {
  const id = segment === undefined ? undefined : recordIdOf(segment)
  if (id === undefined) return undefined
  const path = recordSegment(id)
  if (path.length > MAX_SEGMENT) return undefined
  const place = ['trace', 'source'].flatMap((name): [string, string][] => {
    const value = query.get(name)
    return value === null ? [] : [[name, value]]
  })
  return ['top', 'outline']
    .map((fields) => new URLSearchParams([...place, ['fields', fields]]).toString())
    .map((search) => `<${toRoot}api/records/${path}?${search}>; rel=preload; as=fetch; crossorigin`)
    .join(', ')
}

/** A file of the page in the browser, ready to be sent. */
interface ViewerFile {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly gzipped: Uint8Array<ArrayBuffer>
}

/** The directory of the built page. This module is in src/server or in dist/server. */
const DIRECTORY = new URL('../../dist/viewer/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Returns the files of the built page by their paths; none if the page is not built. Each is read once, on demand. */
function viewerFiles(): (path: string) => ViewerFile | undefined {
  let paths: ReadonlySet<string> | undefined
  const files = new Map<string, ViewerFile>()
  return (path) => {
    paths ??= new Set(pathsIn(DIRECTORY))
    if (!paths.has(path)) return undefined
    const file = files.get(path) ?? readViewerFile(path)
    files.set(path, file)
    return file
  }
}

function pathsIn(directory: URL): string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((path) => extname(path) in TYPES)
      .map((path) => path.replaceAll('\\', '/'))
  } catch {
    return []
  }
}

const readViewerFile = (path: string): ViewerFile =>
  toViewerFile(path, new Uint8Array(readFileSync(new URL(path, DIRECTORY))))

/** Returns a file of the page with these bytes. */
const toViewerFile = (path: string, bytes: Uint8Array<ArrayBuffer>): ViewerFile => ({
  type: TYPES[extname(path)] ?? '',
  bytes,
  gzipped: new Uint8Array(gzipSync(bytes, { level: 9 })),
})

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

interface ViewerRouteOptions {
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

  const documents = new Map<string, ViewerFile>()
  /** Returns the document for paths from which `toRoot` leads to the server's root. */
  const documentFor = (toRoot: string): ViewerFile => {
    const made = documents.get(toRoot) ?? documentOf(fileAt('index.html'), { toRoot, jaegerUrl })
    if (toRoot.length <= '../'.length) documents.set(toRoot, made)
    return made
  }
  const page =
    (toRoot: './' | '../') =>
    (c: Context): Response => {
      const link = preloadOutline(toRoot, c.req.param('id'), new URL(c.req.url).searchParams)
      if (link !== undefined) onPlan()
      return answer(c, documentFor(toRoot), { ...PAGE_HEADERS, ...(link === undefined ? {} : { link }) })
    }
  addRoute(app, 'GET /', page('./'))
  addRoute(app, 'GET /plans', page('./'))
  addRoute(app, 'GET /plans/{id}', page('../'))
  addRoute(app, 'GET /compare', page('./'))
  addRoute(app, 'GET /assets/{name}', (c, next) => {
    const file = fileAt(`assets/${pathParameter(c, 'name')}`)
    return file ? Promise.resolve(answer(c, file, FOR_GOOD)) : next()
  })
  // The page itself reports an unknown path to a person.
  app.get('*', (c, next) => {
    const { pathname } = new URL(c.req.url)
    if (!/\btext\/html\b/.test(c.req.header('accept') ?? '') || /^\/(?:api|v1)\//.test(pathname)) return next()
    const toRoot = '../'.repeat(pathname.split('/').length - 2) || './'
    return Promise.resolve(answer(c, documentFor(toRoot), PAGE_HEADERS, 404))
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

function answer(
  c: Context,
  { type, bytes, gzipped }: ViewerFile,
  headers: Record<string, string>,
  status: 200 | 404 = 200,
): Response {
  const isGzipped = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
  return c.body(isGzipped ? gzipped : bytes, status, {
    ...headers,
    'content-type': type,
    vary: 'accept-encoding',
    ...(isGzipped ? { 'content-encoding': 'gzip' } : {}),
  })
}
