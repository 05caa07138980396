import { Hono } from 'hono'
import { createHash } from 'node:crypto'

import { addRoute } from './http/index.js'
import { openApiDocument, type OpenApiDocument, type OpenApiOperation, type Parameter } from './openapi-document.js'

const STYLE = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h2 { font-size: 1rem; margin: 2.5rem 0 .25rem; border-top: 1px solid; padding-top: 1rem }
code, h2 { font-family: ui-monospace, monospace }
table { border-collapse: collapse; width: 100% }
td { vertical-align: top; padding: .2rem 1rem .2rem 0 }
td:first-child { white-space: nowrap }
details { margin-top: .5rem } summary { cursor: pointer }
pre { overflow: auto }
`

/** The page loads nothing, runs no scripts, and uses only its inline style. */
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Renders the document as a page for people. */
function docsPage({ info, paths, components }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => section(`${method.toUpperCase()} ${path}`, operation)),
  )
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<details id="${escaped(name)}"><summary><code>${escaped(name)}</code></summary><pre>${escaped(JSON.stringify(schema, undefined, 2))}</pre></details>`,
  )
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escaped(info.title)} ${escaped(info.version)}: HTTP interface</title><style>${STYLE}</style></head><body>`,
    `<h1>${escaped(info.title)} ${escaped(info.version)}</h1><p>${prose(info.description)} `,
    'The same for programs: <a href="openapi.json">openapi.json</a>.</p>',
    ...operations,
    '<h2>Schemas</h2>',
    ...schemas,
    '</body></html>',
  ].join('\n')
}

const section = (title: string, { summary, parameters, security = [], responses }: OpenApiOperation): string =>
  [
    `<h2>${escaped(title)}</h2><p>${prose(summary)}${security.length === 0 ? '' : ` ${scopeText(security)}`}</p>`,
    rows(parameters.map((parameter) => [parameter.name, parameterText(parameter)])),
    rows(
      Object.entries(responses).map(([status, { description, content = {} }]) => [
        status,
        `${prose(description)} ${Object.keys(content).map(code).join(' ')} ${links(JSON.stringify(content))}`,
      ]),
    ),
  ].join('\n')

const scopeText = (security: NonNullable<OpenApiOperation['security']>): string =>
  `Where tokens are asked for: with the scope ${code(security.flatMap(({ token = [] }) => token).join(', '))}.`

function parameterText({ in: place, required, description = '', schema }: Parameter): string {
  const { enum: values } = schema
  const allowed = Array.isArray(values) ? ` One of ${values.map((value) => code(String(value))).join(' ')}.` : ''
  const where = place === 'path' ? 'In the path. ' : required ? 'Required. ' : ''
  return `${where}${prose(description)}${allowed}`
}

const links = (content: string): string =>
  [...content.matchAll(/#\/components\/schemas\/(\w+)/g)]
    .map(([, name = '']) => `<a href="#${name}">${name}</a>`)
    .join(' ')

const rows = (pairs: readonly (readonly [name: string, html: string])[]): string =>
  pairs.length === 0
    ? ''
    : `<table>${pairs.map(([name, html]) => `<tr><td>${code(name)}</td><td>${html}</td></tr>`).join('')}</table>`

/** Renders a text, with parts between backticks as code. */
const prose = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const code = (text: string): string => `<code>${escaped(text)}</code>`

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character)

/** `/openapi.json` and, for people, `/docs`. Both are created on the first request. */
export function openApiRoute(): Hono {
  const app = new Hono()
  let made: { json: string; page: string } | undefined
  const make = (): { json: string; page: string } => {
    const document = openApiDocument()
    return (made ??= { json: JSON.stringify(document), page: docsPage(document) })
  }
  addRoute(app, 'GET /openapi.json', (c) => c.body((made ?? make()).json, 200, { 'content-type': 'application/json' }))
  addRoute(app, 'GET /docs', (c) =>
    c.body((made ?? make()).page, 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PAGE_POLICY,
    }),
  )
  return app
}
