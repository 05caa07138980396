import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DIALECTS } from '../../../src/mapping/dialects/index.js'
import { foldSpans } from '../../../src/mapping/tree/fold.js'
import { buildForest } from '../../../src/mapping/tree/forest.js'
import { decodeRecord, encodeRecords, toStoredSpan } from '../../../src/mapping/index.js'
import type { Home } from '../../../src/mapping/record-object/homes.js'
import { ATTR, type Role, type StoredSpan } from '../../../src/semconv/index.js'
import { ERA_NAMES, recordOf } from '../../support/era-records.js'
import { fullLynxeAgent, fullLynxePlan, fullPlannerRun } from '../../support/full-records.js'
import {
  changesOf,
  isHome,
  isShowing,
  isSource,
  leavesAt,
  leavesIn,
  placesOf,
  type Leaf,
  type Place,
} from '../../support/homes.js'
import { isOwnAttribute } from '../../support/own-attributes.js'
import { SERIALISATIONS } from '../../support/plan-act-records.js'
import { fullSession } from '../../support/plan-act-run.js'

const fixture = (path: string) => readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8')
const trajectory = (file: string) => fixture(`trajectory/${file}`)

/** Canonical records in which most of the keys of their eras have a value. */
const RECORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ERA_NAMES.map((name) => [`a plan of era ${name}`, recordOf(name)])),
  'a Lynxe plan with a sub-plan below a tool call': fullLynxePlan,
  'a Lynxe agent execution': fullLynxeAgent,
  'a trajectory': trajectory('execution_trajectory.json'),
  'a trajectory of HarmonyGuard, run again': trajectory('harmonyguard-rerun.json'),
  'a crashed trajectory of a computer-use model': trajectory('computer-use-crashed.json'),
  'a trajectory as its document proposes it': trajectory('proposed-fields.json'),
  'a crashed traj.jsonl, run again': trajectory('traj-crashed-rerun.jsonl'),
  'a planner run': fullPlannerRun,
  'a Redis stream': SERIALISATIONS.redis(fullSession),
  'events of the domain': SERIALISATIONS.domain(fullSession),
  'WebSocket frames': SERIALISATIONS.websocket(fullSession),
  'server-sent events': SERIALISATIONS.sse(fullSession),
  'a session document': SERIALISATIONS.session(fullSession),
  'a session document of ai-manus': SERIALISATIONS.session(fullSession, true),
  'a trajectory of Harbor': fixture('atif/harbor.json'),
  'a trajectory of Terminus': fixture('atif/terminus.json'),
  'a trajectory of the package': fixture('atif/package.json'),
}

/** Attributes that position a span or event; without them the tree is different. */
const STRUCTURAL = new Set<string>([ATTR.spanKind, ATTR.recordDialect, ATTR.recordEra, ATTR.seq, ATTR.eventType])

/** Rows without one attribute of a span or of an event (`place`). */
interface Damage {
  readonly rows: readonly StoredSpan[]
  readonly row: StoredSpan
  readonly key: string
  readonly isEvent: boolean
}

function* damages(rows: readonly StoredSpan[]): Generator<Damage> {
  for (const [at, row] of rows.entries()) {
    const without = (damaged: StoredSpan) => rows.map((other, index) => (index === at ? damaged : other))
    for (const key of removable(row.attributes)) {
      const attributes = omit(row.attributes, key)
      yield { rows: without({ ...row, attributes }), row, key, isEvent: false }
    }
    for (const [place, event] of row.events.entries()) {
      for (const key of removable(event.attributes)) {
        const events = row.events.with(place, { ...event, attributes: omit(event.attributes, key) })
        yield { rows: without({ ...row, events }), row, key, isEvent: true }
      }
    }
  }
}

type Attributes = Readonly<Record<string, string>>
const removable = (attributes: Attributes): string[] => Object.keys(attributes).filter((key) => !STRUCTURAL.has(key))
function omit(attributes: Attributes, key: string): Attributes {
  const { [key]: _, ...rest } = attributes
  return rest
}

describe.each(Object.entries(RECORDS))('in %s', (_, text) => {
  const [record] = encodeRecords(new TextEncoder().encode(text))
  const { dialect, era: eraName } = record!
  const era = DIALECTS[dialect].eras[eraName]!
  const rows = record!.spans.map(toStoredSpan)
  const documentOf = (rows: readonly StoredSpan[]) => {
    const root = buildForest(foldSpans(rows)).find(({ span }) => span.spanId === record!.spans[0]!.spanId)
    return DIALECTS[dialect].decode(root!, eraName)
  }
  const document = documentOf(rows)

  const byId = new Map(rows.map((row) => [row.spanId, row]))
  const roleOf = (spanId: string): string | undefined => byId.get(spanId)?.attributes[ATTR.spanKind]
  const isBelow = (spanId: string | undefined, above: string): boolean =>
    spanId === above || (!!spanId && isBelow(byId.get(spanId)?.parentSpanId, above))

  const leaves = leavesIn(era)
  // An event's object is no span's object, and values shared by all events have a single home.
  const isOfEvents = dialect.startsWith('plan-act')
  const leavesOf = (place: Place): Leaf[] => {
    const role = roleOf(place.origin)
    const isOfObject = ({ home }: Leaf) => home === role || (isOfEvents && home !== 'plan')
    return leavesAt(place, leaves.filter(isOfObject), leaves)
  }

  const taken = [...damages(rows)].map(({ rows: damaged, row, key, isEvent }) => {
    const role = row.attributes[ATTR.spanKind] as Role
    const homes: readonly Home[] = isEvent ? ['event', 'exception', 'planning'] : [role]
    const isStored = (leaf: Leaf) => isHome(leaf, homes, key)
    return {
      key,
      row,
      role,
      isStored,
      isNamed: (leaf: Leaf) => isStored(leaf) || isSource(leaf, homes, key),
      isShown: (leaf: Leaf) => isShowing(leaf, homes),
      changes: changesOf(document, documentOf(damaged)),
      decoded: decodeRecord(damaged)!,
    }
  })
  type Taken = (typeof taken)[number]
  const wrong = (isWrong: (damage: Taken) => boolean) =>
    taken.filter(isWrong).map(({ key, row, changes }) => ({ without: key, of: row.name, changes }))

  test('the residual is empty', () => {
    expect(rows.filter(({ attributes }) => ATTR.residual in attributes)).toEqual([])
    expect(decodeRecord(rows)?.text).toBe(text)
  })

  // The fields of an event of an unknown type, except its head, are one attribute.
  const isRest = ({ key }: Taken) => key === ATTR.eventData

  test('removing an attribute changes the record exactly if a key represents it', () => {
    const isNamed = (damage: Taken) => isRest(damage) || leaves.some(damage.isNamed)
    expect(wrong((damage) => isNamed(damage) !== damage.changes.length > 0)).toEqual([])
  })

  test('attributes without a key are planspan’s own', () => {
    const isStrange = (damage: Taken) => !isRest(damage) && !leaves.some(damage.isNamed) && !isOwnAttribute(damage.key)
    expect(wrong(isStrange)).toEqual([])
  })

  test('an attribute changes its key, and what is derived from it', () => {
    const isStrange = (damage: Taken) => (place: Place) => {
      const { spanId } = damage.row
      const isNear = isBelow(place.origin, spanId) || isBelow(spanId, place.origin)
      return !isNear || !leavesOf(place).some((leaf) => damage.isNamed(leaf) || damage.isShown(leaf))
    }
    expect(wrong((damage) => !isRest(damage) && damage.changes.some(isStrange(damage)))).toEqual([])
  })

  test('an attribute changes one key of its span’s object', () => {
    const isTwice = ({ changes, row, role, isStored }: Taken) => {
      const inOwn = changes.filter(({ origin }) => origin === row.spanId)
      return inOwn.filter((place) => leavesOf(place).some((leaf) => isStored(leaf) && leaf.home === role)).length > 1
    }
    expect(isOfEvents ? [] : wrong(isTwice)).toEqual([])
  })

  test('the record’s verdict is altered', () => {
    expect(wrong(({ changes, decoded }) => changes.length > 0 !== (decoded.verdict === 'altered'))).toEqual([])
    expect(wrong(({ changes, decoded }) => changes.length > 0 !== (decoded.text !== text))).toEqual([])
  })

  test('every key with a field has a home', () => {
    const isStored = ({ property }: Leaf) => property.kind === 'field' && !property.from
    const changed = taken.flatMap(({ changes }) => changes)
    const places = placesOf(document).filter((place) => leavesOf(place).some(isStored))
    const isChanged = ({ origin, path }: Place) =>
      changed.some((place) => place.origin === origin && (place.path === '' || `${path}.`.startsWith(`${place.path}.`)))
    const homeless = places.filter((place) => !isChanged(place))
    if (!isOfEvents) expect(homeless).toEqual([])
    const reached = new Set(changed.flatMap(leavesOf))
    expect(homeless.filter((place) => !leavesOf(place).some((leaf) => reached.has(leaf)))).toEqual([])
  })
})
