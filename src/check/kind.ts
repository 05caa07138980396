import type { z } from 'zod'

import type { SpanNode } from '../mapping/index.js'
import type { CheckedPlan } from './checked-plan.js'

/** What a rule found in a plan. */
export interface Found {
  /** What happened, in words and without content of the plan. */
  readonly text: string
  /** Where it happened. @default the plan itself */
  readonly node?: SpanNode | undefined
  /** Whether the plan breaks the rule. Undecided if the spans do not say. @default 'broken' */
  readonly outcome?: 'broken' | 'undecided'
}

/** A kind of rule: its keys, and how a plan is checked. */
export interface RuleKind<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  /** Finds what breaks a rule, in order of time. */
  check(rule: z.output<Schema>, plan: CheckedPlan): Iterable<Found>
}

/** Declares a kind of rule and infers the type of its rules. */
export const defineKind = <Schema extends z.ZodType>(kind: RuleKind<Schema>): RuleKind<Schema> => kind

/** Something required that is missing: it may still come while the plan is not over. */
export const absent = ({ isOver }: CheckedPlan, text: string, node?: SpanNode): Found =>
  isOver ? { text, node } : { text: `${text} so far`, node, outcome: 'undecided' }

/** An action that may be a selected one, but whose arguments were not recorded. */
export const unknownArguments = (name: string, node: SpanNode): Found => ({
  text: `the arguments of ${name} were not recorded`,
  node,
  outcome: 'undecided',
})
