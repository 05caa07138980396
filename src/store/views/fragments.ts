import { STATE_WORDS } from '../../mapping/index.js'
import { ROLES } from '../../semconv/index.js'
import { generationsSql } from '../generations.js'
import { querySql } from '../query.js'
import { fillSql, readSql } from '../sql-file.js'
import { roleSpans, stateOf } from './role-spans.js'

/**
 * The SQL that stands for `${name}` in the files of the views: the spans of each role (`${tool}`), the same with the states
 * of what is open worked out (`${open_tool}`), and what several views share. `${database}` is left open.
 */
export function viewFragments(): Readonly<Record<string, string>> {
  const candidates = querySql('traces', { database: '${database}', where: fragment('superseded_candidates') })
  const shared = { resumed_plans: fragment('resumed_plans') }
  const spans = ROLES.map((role) => [role, roleSpans(role).sql] as const)
  const words = { state_words: arrayLiteral(STATE_WORDS.keys()), word_states: arrayLiteral(STATE_WORDS.values()) }
  const steps = { listed_steps: fragment('listed_steps') }
  const lists = ['Steps', 'StepsJson']
  const plans = fillSql(fragment('standing_plans'), Object.fromEntries(spans))
  return {
    ...shared,
    ...words,
    standing_plans: plans,
    plan_lists: roleSpans('plan', lists).sql,
    planning_lists: roleSpans('planning', lists).sql,
    planned_steps: fillSql(fragment('planned_steps'), steps),
    worked_steps: fillSql(fragment('worked_steps'), { agent_state: stateOf('agent') }),
    ...Object.fromEntries(spans),
    ...Object.fromEntries(
      spans.map(([role, sql]) => [`open_${role}`, fillSql(fragment('open_spans'), { ...shared, spans: sql })]),
    ),
    ...steps,
    plan_state: querySql('plan_state', {}).trimEnd().replace('{now:Int64}', 'toUnixTimestamp64Nano(now64(9))'),
    superseded: generationsSql(candidates, 'superseded'),
  }
}

const fragment = (name: string): string => readSql(`fragments/${name}.sql`).trimEnd()

const arrayLiteral = (texts: Iterable<string>): string => `[${[...texts].map((text) => `'${text}'`).join(', ')}]`
