import { migrateCluster, type ClusterReport, type MigrateClusterOptions } from '../../server/index.js'
import { EXIT, exitCodeOf, type ExitCode } from '../exit-code.js'
import { note, print, styled } from '../output/terminal.js'

/** `planspan schema --cluster NAME --apply`: creates or upgrades the schema on every host, and compares the hosts. */
export async function applySchema(options: MigrateClusterOptions, asJson: boolean): Promise<ExitCode> {
  const report = await migrateCluster(options)
  if (asJson) print(jsonOf(report))
  else show(report)
  return verdict(report)
}

const jsonOf = ({ hosts, differences }: ClusterReport): string =>
  JSON.stringify({
    hosts: hosts.map(({ url, failure }) => ({ url, failure: failure?.message ?? null })),
    differences,
  })

function show({ hosts, differences }: ClusterReport): void {
  for (const { url, failure } of hosts) {
    print(failure ? `${styled('red', 'fail')}  ${url}  ${failure.message}` : `${styled('green', 'ok  ')}  ${url}`)
  }
  if (differences.length > 0) {
    note(`${styled('yellow', 'The hosts differ')} in parts that planspan does not change by itself:`)
    for (const line of differences) print(line)
  }
}

function verdict({ hosts, differences }: ClusterReport): ExitCode {
  const failures = hosts.flatMap(({ failure }) => failure ?? [])
  const [first] = failures
  if (first) {
    const left = `${String(failures.length)} of ${String(hosts.length)} hosts`
    note(`${styled('red', 'Error:')} ${left} failed. Run the command again when they can be reached.`)
    return exitCodeOf(first)
  }
  return differences.length > 0 ? EXIT.different : EXIT.done
}
