const END = '<!-- end -->'

/**
 * Returns the page with a generated part in its place, between `<!-- NAME: npm run docs -->` and `<!-- end -->`.
 *
 * @param {string} page
 * @param {string} name
 * @param {string} part
 */
export function withGeneratedPart(page, name, part) {
  const begin = `<!-- ${name}: npm run docs -->`
  const from = page.indexOf(begin) + begin.length
  return `${page.slice(0, from)}\n${part}\n${page.slice(page.indexOf(END, from))}`
}
