import { isoOf } from '../mapping/index.js'
import { ATTR, type State, type StoredSpan } from '../semconv/index.js'
import { checkedPlan, type CheckedPlan, type PlanToCheck } from './checked-plan.js'
import type { Found, RuleKind } from './kind.js'
import { KINDS } from './kinds/index.js'
import { matchesName } from './patterns.js'
import { KIND_NAMES, type Rule } from './rules.js'

/** Where and how a plan breaks a rule, or why that is undecided. */
export interface Finding {
  readonly rule: string
  readonly outcome: 'broken' | 'undecided'
  readonly text: string
  readonly spanId: string
}

/** The result of all rules for one plan. */
export interface PlanCheck {
  readonly state: State
  readonly workflow: string
  readonly startTime: string
  /** The number of known gaps in the plan, such as spans that did not arrive. */
  readonly missing: number
  /** The names of the rules without a finding. Rules that are not for the plan are left out. */
  readonly passed: readonly string[]
  readonly findings: readonly Finding[]
}

/** The maximum number of findings per rule and plan. */
const MAX_FINDINGS = 20

/** Checks a plan from the stored spans of its trace. Undefined if they do not contain the plan. */
export function checkPlan(
  spans: Iterable<StoredSpan>,
  rules: readonly Rule[],
  options: PlanToCheck,
): PlanCheck | undefined {
  const plan = checkedPlan(spans, options)
  if (!plan) return undefined
  const checked = rules.filter((rule) => isFor(rule, plan)).map((rule) => ({ rule, findings: findingsOf(rule, plan) }))
  const { attributes, startTimeUnixNano } = plan.head.span
  return {
    state: plan.state,
    workflow: attributes[ATTR.agentName] ?? '',
    startTime: isoOf(startTimeUnixNano),
    missing: plan.missing,
    passed: checked.filter(({ findings }) => findings.length === 0).map(({ rule }) => rule.name),
    findings: checked.flatMap(({ findings }) => findings),
  }
}

function isFor({ where = {} }: Rule, { head, actions }: CheckedPlan): boolean {
  const { workflow, service, agent, tool } = where
  const { attributes, serviceName } = head.span
  return (
    (workflow === undefined || matchesName(workflow, attributes[ATTR.agentName] ?? '')) &&
    (service === undefined || matchesName(service, serviceName)) &&
    (agent === undefined || actions.agent.some(({ name }) => matchesName(agent, name))) &&
    (tool === undefined || actions.tool.some(({ name }) => matchesName(tool, name)))
  )
}

function findingsOf(rule: Rule, plan: CheckedPlan): Finding[] {
  const toFinding = ({ text, node = plan.head, outcome = 'broken' }: Found): Finding => ({
    rule: rule.name,
    outcome,
    text,
    spanId: node.span.spanId,
  })
  const findings: Finding[] = []
  let more = 0
  for (const found of KIND_NAMES.flatMap((name) => checkKind(rule, name, plan))) {
    if (findings.length < MAX_FINDINGS) findings.push(toFinding(found))
    else more++
  }
  const last = findings.at(-1)
  if (more > 0 && last) findings.splice(-1, 1, { ...last, text: `${last.text}, and ${String(more)} more` })
  return findings
}

function checkKind(rule: Rule, name: (typeof KIND_NAMES)[number], plan: CheckedPlan): Found[] {
  const given = rule[name]
  // The schema has checked that the value belongs to the kind.
  return given === undefined ? [] : [...(KINDS[name] as RuleKind).check(given, plan)]
}
