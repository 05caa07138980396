import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { PlanspanError } from '../../error.js'
import { planTotals, planTree, setTotals, toStoredSpan, type SetMember } from '../../mapping/index.js'
import { openInputs } from '../records/input.js'
import { readRecords } from '../records/read-records.js'
import { note } from '../output/terminal.js'
import { pathLabels, type Label, type Labels, type ComparedSet } from './set-table.js'

/** The files that record an agent's run of a task, the more detailed first, and the file with the score. */
const TRAJECTORIES = ['execution_trajectory.json', 'traj.jsonl']
const SCORE = 'result.txt'

/**
 * Reads the results of a benchmark below a directory, as sets by the labels in their paths. The results are not
 * imported: labels and scores are stored beside the records, not in them, and may change after an import.
 */
export async function setsOfDirectory(directory: string, by: readonly Label[]): Promise<ComparedSet[]> {
  const sets = new Map<string, { readonly labels: Partial<Labels>; readonly members: SetMember[] }>()
  for (const [folder, file] of await trajectoriesBelow(resolve(directory))) {
    const member = await memberOf(folder, file)
    if (!member) continue
    const all = pathLabels(folder)
    const labels = Object.fromEntries(by.map((label) => [label, all[label]]))
    const name = by.map((label) => `${label}=${all[label]}`).join('&')
    const set = sets.get(name)
    if (set) set.members.push(member)
    else sets.set(name, { labels, members: [member] })
  }
  return [...sets].map(([set, { labels, members }]) => ({ set, labels, isWhole: true, ...setTotals(members) }))
}

/** Returns the folders with results and the trajectory file of each, in order of their paths. */
async function trajectoriesBelow(directory: string): Promise<[folder: string, file: string][]> {
  const found = new Map<string, string>()
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new PlanspanError('usage', `${directory} cannot be read: ${reason}.`, { cause })
  })
  for (const name of TRAJECTORIES) {
    for (const entry of entries) {
      if (entry.isFile() && entry.name === name && !found.has(entry.parentPath)) found.set(entry.parentPath, name)
    }
  }
  if (found.size === 0) {
    throw new PlanspanError('usage', `There is no ${TRAJECTORIES.join(' or ')} below ${directory}.`)
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1))
}

/** Reads a result; undefined, with a note, if its record cannot be read. */
async function memberOf(folder: string, file: string): Promise<SetMember | undefined> {
  const path = join(folder, file)
  for (const input of openInputs([path])) {
    for await (const found of readRecords(input.chunks(), { format: 'auto' })) {
      if ('error' in found) {
        note(`${path}: skipped: ${found.error.message}`)
        continue
      }
      const tree = planTree(found.record.spans.map(toStoredSpan))
      const score = await scoreIn(folder)
      if (tree) return { ...planTotals(tree), ...(score === undefined ? {} : { score }) }
    }
  }
  return undefined
}

/** Reads the score of a result; undefined if the task has none. */
async function scoreIn(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, SCORE), 'utf8').catch(() => '')
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined
}
