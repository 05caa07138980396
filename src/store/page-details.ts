import { planSteps, stepProgress, type StepProgress } from '../mapping/index.js'
import { ATTR, decodeFields, planFields } from '../semconv/index.js'
import { NO_FIGURES, type PlanFigures, readFigures } from './page-figures.js'
import { planKey } from './plan-key.js'
import type { Facts, PlanDetails, PlanRow } from './plan-summary.js'
import { querySql, readRows, type QueryTarget } from './query.js'
import { unsafeTaken } from './unsafe-taken.js'

/** A plan of a trace. */
export interface PlanOfTrace {
  readonly traceId: string
  readonly planId: string
}

/** A row of `queries/page_facts.sql`. */
interface FactsRow extends PlanOfTrace {
  readonly facts: readonly [role: string, name: string, status: string, serviceName: string]
  readonly title: string
  readonly request: string
  readonly begun: readonly number[]
  readonly done: readonly number[]
  readonly task: string
  readonly steps: string
  readonly stepsJson: string
}

/** A row of `queries/page_steps.sql`. */
interface StepsRow extends PlanOfTrace {
  readonly dialect: string
  readonly current: string
  readonly steps: string
  readonly stepsJson: string
}

/** What was read of the plans of some traces. */
interface Read {
  readonly facts: ReadonlyMap<string, FactsRow>
  readonly steps: ReadonlyMap<string, StepsRow>
  readonly figures: ReadonlyMap<string, PlanFigures>
}

/** Reads what a page shows beyond what it is chosen by: what is asked for early is read while its plans are chosen. */
export class PageDetails {
  readonly #target: QueryTarget
  readonly #asked = new Map<string, Promise<Read>>()

  constructor(target: QueryTarget) {
    this.#target = target
  }

  /** Begins to read of plans what has not been asked for. */
  ask(plans: readonly PlanOfTrace[]): void {
    const fresh = plans.filter((plan) => !this.#asked.has(planKey(plan)))
    if (fresh.length === 0) return
    const read = readPlans(this.#target, fresh)
    // Whoever waits for it is told; where nobody does, because the plans could not be read, they are told of that.
    read.catch(() => undefined)
    for (const plan of fresh) this.#asked.set(planKey(plan), read)
  }

  /** The plans of a page with their details, in their order. */
  async of(page: readonly PlanRow[]): Promise<(readonly [PlanRow, PlanDetails])[]> {
    this.ask(page)
    const found = await Promise.all(
      page.map(async (row) => ({ row, told: detailsOf(row, await this.#asked.get(planKey(row))) })),
    )
    const unsafe = found.filter(({ told }) => told.figures.unsafeBelow.length > 0)
    const taken = await unsafeTaken(
      this.#target,
      unsafe.map(({ row, told }) => ({ traceId: row.traceId, parentIds: told.figures.unsafeBelow })),
    )
    return found.map(({ row, told }) => [row, { ...told, unsafeTaken: taken.get(figuresKey(row)) ?? 0 }])
  }
}

async function readPlans(target: QueryTarget, plans: readonly PlanOfTrace[]): Promise<Read> {
  const { database } = target
  const traceIds = [...new Set(plans.map(({ traceId }) => traceId))]
  const those = { traceIds, planIds: [...new Set(plans.map(({ planId }) => planId))] }
  const [figures, steps, facts] = await Promise.all([
    readFigures(target, traceIds),
    readRows<StepsRow>(target, querySql('page_steps', { database }), those),
    readRows<FactsRow>(target, querySql('page_facts', { database }), those),
  ])
  return { figures, steps: byKey(steps), facts: byKey(facts) }
}

const byKey = <Row extends PlanOfTrace>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [planKey(row), row]))

function detailsOf(row: PlanRow, read: Read | undefined): Omit<PlanDetails, 'unsafeTaken'> {
  const known = read?.facts.get(planKey(row))
  return {
    facts: row.facts ?? factsOf(known),
    steps: stepsOf(known, read?.steps.get(planKey(row))),
    figures: read?.figures.get(figuresKey(row)) ?? NO_FIGURES,
  }
}

function factsOf(known: FactsRow | undefined): Facts {
  const [role, name, status, serviceName] = known?.facts ?? ['', '', '', '']
  return [role, name, known?.title ?? '', known?.request ?? '', status, serviceName]
}

function stepsOf(known: FactsRow | undefined, own: StepsRow | undefined): StepProgress {
  const told = toldOf(own)
  const listed = planSteps(told)
  return stepProgress({
    listed: listed.length > 0 ? listed : planSteps(toldOf(known)),
    begun: known?.begun ?? [],
    done: known?.done ?? [],
    current: told.currentStepIndex,
    task: known?.task ?? '',
    isRecord: own !== undefined && own.dialect !== '',
  })
}

const { steps, stepsJson, currentStepIndex } = planFields
const OF_STEPS = { steps, stepsJson, currentStepIndex }

const toldOf = (row: { steps: string; stepsJson: string; current?: string } | undefined) =>
  decodeFields(OF_STEPS, {
    [ATTR.planSteps]: row?.steps ?? '',
    [ATTR.planStepsJson]: row?.stepsJson ?? '',
    [ATTR.planCurrentStepIndex]: row?.current ?? '',
  })

/** An imported record is its whole trace. */
const figuresKey = ({ planId, traceId, dialect }: PlanRow): string =>
  planKey({ traceId, planId: dialect === '' ? planId : '' })
