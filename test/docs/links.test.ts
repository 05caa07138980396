import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

const PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'collector-config/README.md'].concat(
  readdirSync('docs', { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
)

/** A page's text without its code. */
const prose = (path: string): string =>
  readFileSync(path, 'utf8')
    .replaceAll(/^ *```[^]*?^ *```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ' '))

/** The anchors that GitHub and npm give a page's headings. */
function anchorsOf(path: string): string[] {
  const seen = new Map<string, number>()
  return [
    ...readFileSync(path, 'utf8')
      .replaceAll(/^```[^]*?^```$/gm, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading = '']) => {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
}

describe.each(PAGES)('%s', (page) => {
  const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const local = links.filter((link) => !/^[a-z]+:/.test(link))

  test('has links with existing targets', () => {
    const broken = local.filter((link) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : normalize(join(dirname(page), path))
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
    })
    expect(broken).toEqual([])
  })

  test('names files of the project that exist', () => {
    const code = readFileSync(page, 'utf8').matchAll(/`((?:src|lint|test|bench|scripts)\/[^`\s<*…]+)`/g)
    expect([...code].map(([, path = '']) => path).filter((path) => !existsSync(path))).toEqual([])
  })
})

test('docs/README.md links to every page', () => {
  const named = new Set(
    [...readFileSync('docs/README.md', 'utf8').matchAll(/\]\(([\w-]+\.md)/g)].map(([, name]) => name),
  )
  const pages = readdirSync('docs').filter((name) => name.endsWith('.md') && name !== 'README.md')
  expect(pages.filter((name) => !named.has(name))).toEqual([])
})

test('docs/instrument.md is short enough to follow in one go', () => {
  const page = readFileSync('docs/instrument.md', 'utf8')
  expect(page.split(/\s+/).length).toBeLessThanOrEqual(600)
  expect(page.match(/^```console$/gm)).toHaveLength(4)
})
