import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { type DataDirectory, writing } from './data-directory.js'

const MUTATION = /^mutation_\d+\.txt$/

/**
 * Removes the empty descriptions of mutations that ClickHouse writes on a full disk, because it cannot load a table
 * that has one. The requests for these mutations have failed.
 */
export function removeTornMutations({ root, store }: DataDirectory): void {
  const tables = join(store, 'store')
  if (!existsSync(tables)) return
  writing(root, () => {
    for (const group of readdirSync(tables)) {
      for (const table of readdirSync(join(tables, group))) {
        for (const name of readdirSync(join(tables, group, table))) {
          const path = join(tables, group, table, name)
          if (MUTATION.test(name) && statSync(path).size === 0) rmSync(path)
        }
      }
    }
  })
}
