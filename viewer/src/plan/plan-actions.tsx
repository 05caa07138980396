import type { RebuiltRecord } from 'planspan/client'
import { FRAMINGS } from 'virtual:planspan-names'

import { CompareMenu } from '../compare/compare-menu.js'
import { client } from '../data/client.js'
import { announce } from '../parts/announcement.js'
import { copy, CopyButton } from '../parts/copy-button.js'
import { IconButton, Icon } from '../parts/icon.js'
import { Menu } from '../parts/menu.js'
import type { PlanStore } from './plan-store.js'

/** The URL of Jaeger's page, which the server puts into the page. */
const JAEGER = document.querySelector<HTMLMetaElement>('meta[name="planspan-jaeger"]')?.content

type Dialect = keyof typeof FRAMINGS
const DIALECTS = Object.keys(FRAMINGS) as Dialect[]

/** The actions of a plan: follow it, get its record, copy its link. */
export function PlanActions({ store }: { readonly store: PlanStore }) {
  const { isMoving, isFollowing } = store
  return (
    <div class="actions">
      {isMoving.value && (
        <button
          type="button"
          class="button"
          aria-pressed={isFollowing.value}
          title="Follow the newest span (f)"
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

/** A link to the trace in Jaeger, if the server has its URL, with the selected span. */
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

/** The record in a dialect, or in its own, to copy or download. */
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
    announce(error instanceof Error ? error.message : String(error))
  }
}

/** The extension of a record's file. */
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
