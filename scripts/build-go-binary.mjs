// Builds the Go programs named, or all, and prints their paths: node scripts/build-go-binary.mjs [NAME…]
import { buildGoBinary, goBinaries } from './go-binaries.mjs'

const names = process.argv.slice(2)
const unknown = names.find((name) => !goBinaries.some((known) => known === name))
if (unknown !== undefined) {
  console.error(`There is no ${unknown} to build. Known: ${goBinaries.join(', ')}.`)
  process.exit(2)
}
try {
  for (const name of goBinaries) {
    if (names.length === 0 || names.includes(name)) console.log(await buildGoBinary(name))
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
