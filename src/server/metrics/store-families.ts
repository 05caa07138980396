import type { CallTotal, PlansByState } from '../../store/metrics/index.js'
import type { Store } from '../../store/index.js'
import { callFamilies } from './call-families.js'
import type { Family } from './exposition.js'
import { Kept } from './kept.js'

/** What ClickHouse is asked for; what it can't tell at the moment is told as it was. */
export class StoreFamilies {
  readonly #plans: Kept<PlansByState>
  readonly #calls: Kept<readonly CallTotal[]>
  readonly #state: Kept<{ readonly isUp: boolean; readonly room: number | undefined }>

  constructor({ metrics }: Pick<Store, 'metrics'>) {
    this.#plans = new Kept(async (tell) => tell(await metrics.plansByState()))
    this.#calls = new Kept(async (tell) => {
      // To count what has come may take its time.
      tell(await metrics.calls.read())
      if (await metrics.calls.update()) tell(await metrics.calls.read())
    })
    this.#state = new Kept(async (tell) => {
      tell({ isUp: await metrics.isUp(), room: await metrics.room() })
    })
  }

  async look(): Promise<Family[]> {
    const [plans, calls, state] = await Promise.all([this.#plans.look(), this.#calls.look(), this.#state.look()])
    const ages = [['plans', this.#plans.age] as const, ['model_calls', this.#calls.age] as const]
    return [
      {
        name: 'planspan_clickhouse_up',
        type: 'gauge',
        help: 'Whether ClickHouse answers.',
        samples: [[{}, state?.isUp === true ? 1 : 0]],
      },
      {
        name: 'planspan_disk_free_bytes',
        type: 'gauge',
        unit: 'bytes',
        help: 'The room for new rows.',
        samples: state?.room === undefined ? [] : [[{}, state.room]],
      },
      {
        name: 'planspan_plans',
        type: 'gauge',
        help: 'Plans that are stored, by state.',
        samples: Object.entries(plans ?? {}).map(([told, count]) => [{ state: told }, count]),
      },
      ...callFamilies(calls ?? []),
      {
        name: 'planspan_counted_age_seconds',
        type: 'gauge',
        unit: 'seconds',
        help: 'How long ago plans and model calls were counted.',
        samples: ages.flatMap(([of, age]) => (age === undefined ? [] : [[{ of }, age] as const])),
      },
    ]
  }
}
