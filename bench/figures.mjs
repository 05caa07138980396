import { cpus, loadavg, totalmem } from 'node:os'

/** The value below which a share of the values lie. */
export const quantile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]

/** What the machine is, and how busy with other work. */
export const machine = () =>
  `${cpus()[0].model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, load ${loadavg()[0].toFixed(1)}`

/** Rows of cells as a table of Markdown. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
