import type { RebuiltRecord } from 'planspan/client'
import { FRAMINGS } from 'virtual:planspan-names'

import { CompareMenu } from '../compare/compare-menu.js'
import { client } from '../data/client.js'
import { copy, CopyButton, tell } from '../parts/copy-button.js'
import { IconButton } from '../parts/icon-button.js'
import { Icon } from '../parts/icon.js'
import { Menu } from '../parts/menu.js'
import type { PlanStore } from './plan-store.js'

/** Where Jaeger's page is, as the server told in the page. */
const JAEGER = document.querySelector<HTMLMetaElement>('meta[name="planspan-jaeger"]')?.content

type Dialect = keyof typeof FRAMINGS
const DIALECTS = Object.keys(FRAMINGS) as Dialect[]

/** What can be done with a plan: follow it, take its record along, send its link. */
export function PlanActions({ store }: { readonly store: PlanStore }) {
  const { isMoving, isFollowing } = store
  return (
    <div class="actions">
      {isMoving.value && (
        <button
          type="button"
          class="button"
          aria-pressed={isFollowing.value}
          title="Show the newest as it comes (f)"
          onClick={() => (isFollowing.value = !isFollowing.value)}
        >
          <Icon name="follow" />
          Follow
        </button>
      )}
      <CopyButton text={() => location.href} what="Link" icon="link" />
      <CompareMenu store={store} />
      <JaegerLink store={store} />
      <Menu
        label={
          <>
            <Icon name="download" />
            Record
          </>
        }
      >
        <ul>
          <RecordItem store={store} />
          {DIALECTS.map((dialect) => (
            <RecordItem key={dialect} store={store} dialect={dialect} />
          ))}
        </ul>
      </Menu>
    </div>
  )
}

/** The trace in Jaeger, where the server knows of one, with the selected span found. */
function JaegerLink({ store }: { readonly store: PlanStore }) {
  const traceId = store.summary.value?.traceId
  if (JAEGER === undefined || traceId === undefined) return null
  const found = store.selected.value === undefined ? '' : `?uiFind=${store.selected.value}`
  return (
    <a class="button" href={`${JAEGER}/trace/${traceId}${found}`} target="_blank" rel="noopener noreferrer">
      Jaeger
    </a>
  )
}

/** The record in one dialect, or in its own, to copy or to keep as a file. */
function RecordItem({ store, dialect }: { readonly store: PlanStore; readonly dialect?: Dialect }) {
  const name = dialect ?? 'As it is'
  return (
    <li>
      <span>{name}</span>
      <IconButton
        icon="copy"
        label={`Copy the record: ${name}`}
        title="Copy"
        onClick={() => void withRecord(store, dialect, ({ bytes }) => copy(new TextDecoder().decode(bytes), 'Record'))}
      />
      <IconButton
        icon="download"
        label={`Download the record: ${name}`}
        title="Download"
        onClick={() => void withRecord(store, dialect, (record) => download(store.planId, record))}
      />
    </li>
  )
}

async function withRecord(
  { planId, place }: PlanStore,
  dialect: Dialect | undefined,
  use: (record: RebuiltRecord) => void | Promise<void>,
): Promise<void> {
  try {
    await use(await client.record(planId, { ...place, ...(dialect === undefined ? {} : { format: dialect }) }))
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error))
  }
}

/** What the name of a record's file ends with. */
function endingOf(dialect: string): string {
  const framing = Object.hasOwn(FRAMINGS, dialect) ? FRAMINGS[dialect as Dialect] : null
  return framing === null ? 'json' : { lines: 'jsonl', sse: 'txt' }[framing]
}

function download(planId: string, { bytes, dialect }: RebuiltRecord): void {
  const url = URL.createObjectURL(new Blob([bytes]))
  const link = document.createElement('a')
  link.href = url
  link.download = `${planId.replaceAll(/[^\w.-]+/g, '_')}.${dialect.replace(':', '.')}.${endingOf(dialect)}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
