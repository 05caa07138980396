import { oneLineOf } from './shorten.js'
import type { Outcome, Unit, UnitKind } from './unit.js'

const NAMES: Readonly<Record<UnitKind, string>> = {
  plan: 'sub-plan',
  planning: 'planning',
  wait: 'wait',
  agent: 'agent',
  step: 'step',
  think_act: 'cycle',
  llm: 'model call',
  guardrail: 'guardrail',
  tool: 'tool call',
}

const MAX_NAME = 60

/** Labels a unit among its neighbors: `step 3 "Book"`, `cycle 2`, `tool call 1 search`. */
export function labelOf({ kind, place, action: { name, detail } }: Unit): string {
  const said = oneLineOf(kind === 'llm' ? (detail ?? name) : name, MAX_NAME)
  const shown = said === '' ? '' : kind === 'step' || kind === 'plan' ? ` ${JSON.stringify(said)}` : ` ${said}`
  return `${NAMES[kind]} ${place}${shown}`
}

/** A path down from a plan. Its last parts are shown. */
export interface Path {
  readonly above: Path | undefined
  readonly label: string
}

const MAX_PARTS = 6

export function pathText(path: Path): string {
  const parts: string[] = []
  let part: Path | undefined = path
  for (; part && parts.length < MAX_PARTS; part = part.above) parts.push(part.label)
  return [...(part ? ['…'] : []), ...parts.reverse()].join(' › ')
}

/** Describes what a unit did and its outcome, with the shown part of its detail. */
export function didText(unit: Unit, detail: string | null): string {
  const { state, error, answer } = unit.outcome
  const came = [
    ...(unit.kind === 'guardrail' ? verdictWords(unit.outcome) : [state ?? '']),
    error ? JSON.stringify(oneLineOf(error, MAX_SAID)) : '',
    answer ? `answered ${oneLineOf(answer, MAX_SAID)}` : '',
  ].filter((part) => part !== '')
  return [doing(unit, detail), ...came].join(', ')
}

const MAX_SAID = 200

function verdictWords({ isSafe, isTaken }: Outcome): string[] {
  return [
    isSafe === undefined ? '' : isSafe ? 'found it safe' : 'found it not safe',
    isTaken === undefined ? '' : isTaken ? 'it was taken' : 'it was stopped',
  ]
}

function doing({ kind, action: { name }, outcome: { isTaken }, children }: Unit, detail: string | null): string {
  const said = detail === null || detail === '' ? '' : oneLineOf(detail, MAX_SAID)
  const shown = oneLineOf(name, MAX_NAME)
  switch (kind) {
    case 'tool':
      return `${isTaken === false ? 'was to call' : 'called'} ${shown}${said === '' ? '' : ` with ${said}`}`
    case 'llm':
      return `asked ${said === '' ? 'a model' : said}${shown === '' ? '' : ` (${shown})`}`
    case 'planning':
      return `planned ${said === '' ? 'nothing' : said}`
    case 'wait':
      return `waited for a person${shown === '' ? '' : ` (${shown})`}${said === '' ? '' : `: ${said}`}`
    case 'guardrail':
      return `judged by ${shown === '' ? 'a guardrail' : shown}`
    case 'think_act':
      return callsIn(children)
    case 'step':
      return `had the step ${JSON.stringify(shown)}${said === '' ? '' : ` (${said})`}`
    case 'agent':
      return `had the agent ${shown} work`
    case 'plan':
      return shown === '' ? 'ran' : `ran the plan ${JSON.stringify(shown)}`
  }
}

const MAX_CALLS = 3

/** Describes the calls of a cycle. */
function callsIn(children: readonly Unit[]): string {
  const calls = children.filter(({ kind }) => kind === 'tool')
  const named = calls.slice(0, MAX_CALLS).map(({ action }) => oneLineOf(action.name, MAX_NAME))
  if (named.length === 0) return 'took a cycle without a tool call'
  return `took a cycle that called ${named.join(', ')}${calls.length > MAX_CALLS ? ' and others' : ''}`
}
