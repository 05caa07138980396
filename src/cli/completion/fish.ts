import type { DescribedCommand, DescribedOption } from './described.js'

/** Generates fish completion of planspan's command lines. */
export const fishScript = (commands: readonly DescribedCommand[]): string =>
  [
    '# fish completion for planspan',
    'complete -c planspan -f',
    ...commands.flatMap(({ name, description, options, takesFiles, words }) => [
      `complete -c planspan -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
      `complete -c planspan -n '__fish_seen_subcommand_from help' -a ${name}`,
      ...(takesFiles ? [`complete -c planspan -n '__fish_seen_subcommand_from ${name}' -F`] : []),
      ...(words.length > 0
        ? [`complete -c planspan -n '__fish_seen_subcommand_from ${name}' -a ${quoted(words.join(' '))}`]
        : []),
      ...options.map((option) => optionLine(name, option)),
    ]),
    'complete -c planspan -n __fish_use_subcommand -a help -d ' + quoted('Show the options of a command'),
    'complete -c planspan -n __fish_use_subcommand -l version -d ' + quoted('Print the version'),
    'complete -c planspan -l help -d ' + quoted('Show the options'),
    '',
  ].join('\n')

function optionLine(command: string, { name, description, takesValue, values, takesPath }: DescribedOption): string {
  const value = takesPath
    ? ' -r -F'
    : values.length > 0
      ? ` -x -a ${quoted(values.join(' '))}`
      : takesValue
        ? ' -x'
        : ''
  return `complete -c planspan -n '__fish_seen_subcommand_from ${command}' -l ${name}${value} -d ${quoted(description)}`
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
