import { type PlanStep, planSteps, stepProgress, type StepProgress } from '../mapping/index.js'
import { ATTR, decodeFields, planFields } from '../semconv/index.js'
import { NO_FIGURES, type PlanFigures, readFigures } from './page-figures.js'
import {
  type KnownPlan,
  type OwnSteps,
  type PlanOfTrace,
  readKnownPlans,
  readOwnSteps,
  tracesOf,
} from './page-plans.js'
import { planKey } from './plan-key.js'
import type { Facts, PlanDetails, PlanRow } from './plan-summary.js'
import type { QueryTarget } from './query.js'
import { type UnsafeBelow, unsafeTaken } from './unsafe-taken.js'

/** What is read of the plans of some traces. */
interface Read {
  readonly known: Promise<ReadonlyMap<string, KnownPlan>>
  readonly steps: Promise<ReadonlyMap<string, OwnSteps>>
  readonly figures: Promise<ReadonlyMap<string, PlanFigures>>
  readonly taken: Promise<ReadonlyMap<string, number>>
}

/** Reads what a page shows beyond what it is chosen by: what is asked for early is read while its plans are chosen. */
export class PageDetails {
  readonly #target: QueryTarget
  readonly #asked = new Map<string, Read>()

  constructor(target: QueryTarget) {
    this.#target = target
  }

  /** Begins to read of plans what has not been asked for. */
  ask(plans: readonly PlanOfTrace[]): void {
    const fresh = plans.filter((plan) => !this.#asked.has(planKey(plan)))
    if (fresh.length === 0) return
    const read = readOf(this.#target, fresh)
    // Whoever waits for it is told; where the plans themselves can't be read nobody does, and they are told of that.
    for (const one of Object.values(read)) one.catch(() => undefined)
    for (const plan of fresh) this.#asked.set(planKey(plan), read)
  }

  /** What is known of some plans, by their keys. */
  async knownOf(plans: readonly PlanOfTrace[]): Promise<ReadonlyMap<string, KnownPlan>> {
    this.ask(plans)
    const reads = new Set(plans.flatMap((plan) => this.#asked.get(planKey(plan)) ?? []))
    const found = await Promise.all([...reads].map(({ known }) => known))
    return new Map(found.flatMap((known) => [...known]))
  }

  /** The plans of a page with their details, in their order. */
  async of(page: readonly PlanRow[]): Promise<(readonly [PlanRow, PlanDetails])[]> {
    this.ask(page)
    return Promise.all(page.map(async (row) => [row, await detailsOf(row, this.#asked.get(planKey(row)))] as const))
  }
}

function readOf(target: QueryTarget, plans: readonly PlanOfTrace[]): Read {
  const traceIds = tracesOf(plans)
  const figures = readFigures(target, traceIds)
  return {
    figures,
    taken: figures.then((found) => unsafeTaken(target, unsafeOf(found, traceIds))),
    steps: readOwnSteps(target, plans).then(byKey),
    known: readKnownPlans(target, plans).then(byKey),
  }
}

const unsafeOf = (figures: ReadonlyMap<string, PlanFigures>, traceIds: readonly string[]): UnsafeBelow[] =>
  traceIds
    .map((traceId) => ({ traceId, parentIds: figures.get(planKey({ traceId, planId: '' }))?.unsafeBelow ?? [] }))
    .filter(({ parentIds }) => parentIds.length > 0)

const byKey = <Row extends PlanOfTrace>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [planKey(row), row]))

async function detailsOf(row: PlanRow, read: Read | undefined): Promise<PlanDetails> {
  const [knownPlans, ownSteps, figures, taken] = await Promise.all([
    read?.known,
    read?.steps,
    read?.figures,
    read?.taken,
  ])
  const known = knownPlans?.get(planKey(row))
  return {
    facts: row.facts ?? factsOf(known),
    steps: stepsOf(known, ownSteps?.get(planKey(row))),
    figures: figures?.get(figuresKey(row)) ?? NO_FIGURES,
    unsafeTaken: taken?.get(figuresKey(row)) ?? 0,
  }
}

function factsOf(known: KnownPlan | undefined): Facts {
  const [role, name, status, serviceName] = known?.facts ?? ['', '', '', '']
  return [role, name, known?.title ?? '', known?.request ?? '', status, serviceName]
}

function stepsOf(known: KnownPlan | undefined, own: OwnSteps | undefined): StepProgress {
  const listed = listOf(own)
  const current = own?.current
  return stepProgress({
    listed: listed.length > 0 ? listed : listOf(known),
    begun: known?.begun.map(Number) ?? [],
    done: known?.done.map(Number) ?? [],
    current: typeof current === 'string' ? Number(current) : (current ?? undefined),
    task: known?.task ?? '',
    isRecord: own !== undefined && own.dialect !== '',
  })
}

const { steps, stepsJson } = planFields

const listOf = (told: Pick<OwnSteps, 'steps' | 'stepsJson'> | undefined): PlanStep[] =>
  told === undefined
    ? []
    : planSteps(
        decodeFields({ steps, stepsJson }, { [ATTR.planSteps]: told.steps, [ATTR.planStepsJson]: told.stepsJson }),
      )

/** An imported record is its whole trace. */
const figuresKey = ({ planId, traceId, dialect }: PlanRow): string =>
  planKey({ traceId, planId: dialect === '' ? planId : '' })
