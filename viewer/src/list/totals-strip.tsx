import type { TotalsJson } from 'planspan/client'

import { costText, countText, durationText, wholeCount } from '../model/quantity.js'
import { storedChoice } from '../parts/stored-choice.js'
import { linkTo } from '../url/base.js'
import { withParameters } from '../url/location.js'
import { ColumnMenu } from './column-menu.js'
import { CourseChart } from './course-chart.js'
import { totals } from './list-store.js'
import { ViewMenu } from './view-menu.js'

type Sums = Omit<TotalsJson, 'course' | 'bucketMs'>

interface Measure {
  readonly title: string
  readonly shown: (sums: Sums) => string
  /** The height of its bar in the chart. */
  readonly height: (sums: Sums) => number
  /** The plans that it counts, or their order. */
  readonly to?: Readonly<Record<string, string | undefined>>
}

const success = ({ ended, completed }: Sums): number => (ended === 0 ? 0 : completed / ended)
const shareText = (sums: Sums): string => (sums.ended === 0 ? '–' : `${(success(sums) * 100).toFixed(0)} %`)

/** The totals of the list, each with its course over time. */
const MEASURES = {
  plans: { title: 'Plans', shown: ({ plans }) => wholeCount(plans), height: ({ plans }) => plans },
  success: { title: 'Completed', shown: shareText, height: success },
  failed: {
    title: 'Failed',
    shown: ({ failed }) => wholeCount(failed),
    height: ({ failed }) => failed,
    to: { state: 'failed' },
  },
  unsafe: {
    title: 'Unsafe, but done',
    shown: ({ unsafeTaken }) => wholeCount(unsafeTaken),
    height: ({ unsafeTaken }) => unsafeTaken,
    to: { unsafeTaken: 'true' },
  },
  cost: {
    title: 'Cost',
    shown: ({ costUsd }) => costText(costUsd),
    height: ({ costUsd }) => costUsd,
    to: { sort: 'cost', order: undefined },
  },
  tokens: {
    title: 'Tokens',
    shown: ({ tokens }) => countText(tokens),
    height: ({ tokens }) => tokens,
    to: { sort: 'tokens', order: undefined },
  },
  duration: {
    title: '95 % took up to',
    shown: ({ p95DurationMs }) => durationText(p95DurationMs ?? 0),
    height: ({ p95DurationMs }) => p95DurationMs ?? 0,
    to: { sort: 'duration', order: undefined },
  },
} as const satisfies Readonly<Record<string, Measure>>
type MeasureName = keyof typeof MEASURES

const chosen = storedChoice<MeasureName>('course', ['plans', ...(Object.keys(MEASURES) as MeasureName[])])

/** The totals of the filtered plans above the list, and the course of one of them. */
export function TotalsStrip() {
  const known = totals.value
  const { height, shown, title }: Measure = MEASURES[chosen.value]
  return (
    <section class="totals" aria-label="Totals">
      <ul>
        {Object.entries<Measure>(MEASURES).map(([name, measure]) => (
          <li key={name} data-measure={name}>
            <button
              type="button"
              aria-pressed={name === chosen.value}
              title="Show over time"
              onClick={() => (chosen.value = name as MeasureName)}
            >
              {measure.title}
            </button>
            <Figure text={known && measure.shown(known)} to={measure.to} />
          </li>
        ))}
      </ul>
      <span class="fill" />
      <ViewMenu />
      <ColumnMenu />
      {known && known.course.length > 0 && <CourseChart totals={known} {...{ height, shown, title }} />}
    </section>
  )
}

/** A figure, as a link to the plans that it counts. */
function Figure({ text = '…', to }: { readonly text?: string | undefined; readonly to?: Measure['to'] }) {
  if (!to) return <span class="number">{text}</span>
  return (
    <a class="number" href={linkTo(withParameters(to))}>
      {text}
    </a>
  )
}
