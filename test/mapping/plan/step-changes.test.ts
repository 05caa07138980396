import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { nextPlaces, stepChanges } from '../../../src/mapping/plan/step-changes.js'

const NOTHING = { status: undefined, result: undefined }
const steps = (...titles: readonly string[]) => titles.map((title) => ({ ...NOTHING, id: undefined, title }))
const withIds = (...steps: readonly (readonly [string, string])[]) =>
  steps.map(([id, title]) => ({ ...NOTHING, id, title }))

const described = (...[before, after]: Parameters<typeof stepChanges>) =>
  stepChanges(before, after).map(({ kind, index, title, was }) =>
    was === undefined ? `${kind} ${index} ${title}` : `${kind} ${index} ${was} → ${title}`,
  )

describe('what a version of a plan changed', () => {
  test.each([
    ['nothing', ['a', 'b'], ['a', 'b'], []],
    ['a step more', ['a', 'b'], ['a', 'x', 'b'], ['added 1 x']],
    ['a step less', ['a', 'b', 'c'], ['a', 'c'], ['dropped 1 b']],
    ['another step in its place', ['a', 'b', 'c'], ['a', 'x', 'c'], ['dropped 1 b', 'added 1 x']],
    ['other words', ['a', 'Book it'], ['a', 'Ask', 'Book it now'], ['added 1 Ask', 'changed 2 Book it → Book it now']],
    ['words that nothing parts', ['比较三家酒店'], ['比较五家酒店'], ['changed 0 比较三家酒店 → 比较五家酒店']],
    ['the order', ['a', 'b', 'c'], ['b', 'c', 'a'], ['moved 2 a']],
    ['a step that stands there twice', ['a', 'b', 'a'], ['a', 'b'], ['dropped 2 a']],
    ['all', ['a', 'b'], [], ['dropped 0 a', 'dropped 1 b']],
  ])('is reported: %s', (_, before, after, changes) => {
    expect(described(steps(...before), steps(...after))).toEqual(changes)
  })

  test('identifies a step by its id, whatever its title and position', () => {
    const before = withIds(['1', 'Look'], ['2', 'Book'])
    expect(described(before, withIds(['1', 'Look'], ['3', 'Ask'], ['2', 'Book a train']))).toEqual([
      'added 1 Ask',
      'changed 2 Book → Book a train',
    ])
  })

  test('turns the earlier list into the later one', () => {
    const titles = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 12 })
    fc.assert(
      fc.property(titles, titles, (before, after) => {
        const changes = stepChanges(steps(...before), steps(...after))
        const count = (list: readonly string[]) => (title: string) => list.filter((one) => one === title).length
        for (const title of 'abcde') {
          const came = changes.filter(({ kind, ...change }) => change.title === title && /added|changed/.test(kind))
          const went = changes.filter((change) => (change.kind === 'dropped' ? change.title : change.was) === title)
          expect(count(after)(title)).toBe(count(before)(title) + came.length - went.length)
        }
        for (const { kind, index, title } of changes) {
          expect((kind === 'dropped' ? before : after)[index]).toBe(title)
        }
      }),
    )
  })

  test('gives each step that is kept one place in the later list, with its title', () => {
    const titles = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 12 })
    fc.assert(
      fc.property(titles, titles, (before, after) => {
        const places = nextPlaces(steps(...before), steps(...after))
        const kept = places.flatMap((place, from) => (place === undefined ? [] : [[before[from], after[place]]]))
        expect(kept.every(([old, later]) => old === later)).toBe(true)
        expect(new Set(places.filter((place) => place !== undefined)).size).toBe(kept.length)
        const dropped = stepChanges(steps(...before), steps(...after)).filter(({ kind }) => kind === 'dropped')
        expect(before.length - kept.length).toBe(dropped.length)
      }),
    )
  })
})
