// Prints the section of CHANGELOG.md for a release. The tag must name the version of both packages.
// node scripts/release-notes.mjs v1.2.3
import { readFileSync } from 'node:fs'
import process from 'node:process'

const [tag = ''] = process.argv.slice(2)
const root = new URL('../', import.meta.url)
const manifest = (/** @type {string} */ file) => JSON.parse(readFileSync(new URL(file, root), 'utf8'))
const { version, dependencies } = manifest('package.json')
const sdk = manifest('packages/sdk/package.json')
const changelog = readFileSync(new URL('CHANGELOG.md', root), 'utf8')
const sections = changelog.split(/^## /m).slice(1)
const notes = sections.find((section) => /^\S+/.exec(section)?.[0] === version)

if (tag !== `v${version}`)
  fail(`The tag is ${tag || 'missing'}, and package.json has the version ${version}: the tag has to be v${version}.`)
if (sdk.version !== version || dependencies['@planspan/sdk'] !== version)
  fail(
    `planspan ${version} depends on @planspan/sdk ${dependencies['@planspan/sdk']}, and packages/sdk has ${sdk.version}: ` +
      'all three have to be the same version.',
  )
if (!notes) fail(`CHANGELOG.md has no section "## ${version}": give the section Unreleased this name, and the date.`)
console.log(notes?.replace(/^.*\n+/, '').trimEnd())

/** @param {string} message */
function fail(message) {
  console.error(message)
  process.exit(1)
}
