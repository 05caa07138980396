import { describe, expect, it } from 'vitest'

import { columnKeys, ROW_TABLES } from '../../../src/store/row-tables/index.js'
import { readViews } from '../../../src/store/views/views.js'

describe.each([ROW_TABLES.plans, ROW_TABLES.spans])('the views over $name', ({ name, computed }) => {
  const views = readViews().filter(({ sql }) => sql.includes(`.${name} AS span`))

  it('read attributes that a row has as columns from these columns', () => {
    expect(views).not.toEqual([])
    const keys = columnKeys(computed)
    const dropped: string[] = []
    for (const view of views) {
      const read = [...view.sql.matchAll(/\ba\['([^']+)'\]/g)].map(([, key = '']) => key)
      dropped.push(...read.filter((key) => keys.includes(key)).map((key) => `${view.name}: ${key}`))
    }
    expect(dropped).toEqual([])
  })
})
