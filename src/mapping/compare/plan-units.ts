import { decodeFields, guardrailFields, type Role } from '../../semconv/index.js'
import { type CostOfCall, usageBelow, highest, sumOf, tokensOf } from '../usage/index.js'
import type { PlanStep } from '../plan/index.js'
import { stateOfWord, walk, type SpanNode } from '../tree/index.js'
import { childrenOf } from './children-of.js'
import { actionOf, outcomeOf, resultOf } from './describe-unit.js'
import type { Interner } from '../align/index.js'
import { plainDetail } from './differences.js'
import { StepsOfAgents } from './step-of-agent.js'
import { UNIT_KINDS, type Figures, type Keys, type Outcome, type Unit, type UnitKind } from './unit.js'

export interface UnitOptions {
  /** Shared by all plans of a comparison. */
  readonly interner: Interner
  readonly costOfCall: CostOfCall
}

/** A unit whose place is set after its creation: copying each unit would double the time. */
type Made = Omit<Unit, 'place'> & { place: number }

/** Converts a plan, or an agent that was imported alone, to units: its steps, and in each step what its agents did. */
export function unitsOf(root: SpanNode, { interner, costOfCall }: UnitOptions): Unit {
  const made = new Map<SpanNode, Made>()
  // Children come before their parents.
  for (const node of [...walk(root)].toReversed()) {
    if (node.role !== undefined) made.set(node, unitOf(node.role, node, unitsBelow(node)))
  }
  // The root is a plan or an agent, so it has a unit.
  return asRoot(made.get(root) as Made)

  function unitsBelow(node: SpanNode): readonly Unit[] {
    if (node.children.length === 0 && node.role !== 'plan') return []
    const steps = node.role === 'plan' ? new StepsOfAgents(node) : undefined
    const begun = childrenOf(node).flatMap((child) => {
      const unit = made.get(child)
      const title = child.role === 'agent' ? steps?.titleFor(child) : undefined
      return unit ? [title === undefined ? unit : asStep(unit, title)] : []
    })
    return placed([...begun, ...(steps?.notBegun() ?? []).map(idleStep)])
  }

  /** Plans are compared under any name, so the root has none. */
  function asRoot(unit: Made): Made {
    return withKeys({ ...unit, kind: 'plan', action: { name: '', detail: undefined } }, undefined)
  }

  function unitOf(role: Role, node: SpanNode, children: readonly Unit[]): Made {
    const action = actionOf(role, node)
    const outcome = outcomeOf(role, node)
    const figures = figuresOf(role, node, children)
    return withKeys({ kind: role, node, action, outcome, children, figures }, resultOf(node))
  }

  /** Renames an agent's unit to the title of its step. The agent becomes the detail. */
  function asStep(agent: Made, title: string): Made {
    return withKeys({ ...agent, kind: 'step', action: { name: title, detail: agent.action.name } }, undefined)
  }

  function idleStep({ title, status }: PlanStep): Made {
    const outcome: Outcome = { ...NO_OUTCOME, state: stateOfWord(status) }
    return withKeys(
      {
        kind: 'step',
        node: undefined,
        action: { name: title, detail: undefined },
        outcome,
        children: [],
        figures: ONE,
      },
      undefined,
    )
  }

  function withKeys(unit: Omit<Made, 'keys' | 'place'>, result: string | undefined): Made {
    const { kind, node, action, outcome, children, figures } = unit
    const below = (key: keyof Keys): number[] => children.map(({ keys }) => keys[key])
    const { state, error, isSafe, isTaken, answer } = outcome
    const name = interner.numberOf(`${kind} ${action.name}`)
    const done = interner.numberOfAll([name, textNumber(plainDetail(action))])
    const came = [state, isSafe, isTaken, textNumber(error), textNumber(answer)]
    const keys = {
      same: interner.numberOfAll([done, ...came, ...below('same')]),
      actions: interner.numberOfAll([done, ...below('actions')]),
      shape: interner.numberOfAll([name, ...below('shape')]),
      name,
      kind: UNIT_KINDS.indexOf(kind),
      results: interner.numberOfAll([textNumber(result), ...below('results')]),
    }
    return { kind, node, place: 1, action, outcome, children, figures, keys }
  }

  function textNumber(text: string | undefined): number | undefined {
    return text === undefined ? undefined : interner.numberOf(text)
  }

  function figuresOf(role: Role, node: SpanNode, children: readonly Unit[]): Figures {
    const of = (key: keyof Figures): (number | undefined)[] => children.map(({ figures }) => figures[key])
    const isCall = role === 'llm'
    const { score } = role === 'guardrail' ? decodeFields(SCORE, node.span.attributes) : {}
    const tokens = sumOf([isCall ? tokensOf(node) : undefined, ...of('tokens')])
    return {
      units: 1 + (sumOf(of('units')) ?? 0),
      // Some agents of other instrumentations report the tokens of all their calls as one total.
      tokens: tokens ?? (role === 'agent' ? usageBelow(node)?.totalTokens : undefined),
      costUsd: sumOf([isCall ? costOfCall(node) : undefined, ...of('costUsd')]),
      risk: highest([Number.isNaN(score) ? undefined : score, ...of('risk')]),
    }
  }
}

const SCORE = { score: guardrailFields.score }

const NO_OUTCOME: Outcome = {
  state: undefined,
  error: undefined,
  isSafe: undefined,
  isTaken: undefined,
  answer: undefined,
}
const ONE: Figures = { units: 1, tokens: undefined, costUsd: undefined, risk: undefined }

/** Sets the place of each unit among those of its kind. */
function placed(units: readonly Made[]): readonly Unit[] {
  const counts = new Map<UnitKind, number>()
  for (const unit of units) {
    unit.place = (counts.get(unit.kind) ?? 0) + 1
    counts.set(unit.kind, unit.place)
  }
  return units
}
