import type { PlansByState } from '../../store/metrics/index.js'
import type { Store } from '../../store/index.js'
import type { Family } from './exposition.js'
import { Kept } from './kept.js'

/** The metrics that ClickHouse computes. While ClickHouse does not respond, the last values are reported. */
export class StoreFamilies {
  readonly #plans: Kept<PlansByState>
  readonly #state: Kept<{ readonly isUp: boolean; readonly room: number | undefined }>

  constructor({ metrics }: Pick<Store, 'metrics'>) {
    this.#plans = new Kept(async (report) => report(await metrics.plansByState()))
    this.#state = new Kept(async (report) => {
      report({ isUp: await metrics.isUp(), room: await metrics.room() })
    })
  }

  async look(): Promise<Family[]> {
    const [plans, state] = await Promise.all([this.#plans.look(), this.#state.look()])
    const { age } = this.#plans
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
        samples: Object.entries(plans ?? {}).map(([state, count]) => [{ state }, count]),
      },
      {
        name: 'planspan_counted_age_seconds',
        type: 'gauge',
        unit: 'seconds',
        help: 'The age of the count of plans.',
        samples: age === undefined ? [] : [[{ of: 'plans' }, age]],
      },
    ]
  }
}
