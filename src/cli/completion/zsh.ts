import type { DescribedCommand, DescribedOption } from './described.js'

/** Generates zsh completion of planspan's command lines: a file `_planspan` in its `fpath`, or to be sourced. */
export const zshScript = (commands: readonly DescribedCommand[]): string => `#compdef planspan
_planspan() {
  local -a commands
  commands=(
${commands.map(({ name, description }) => `    ${quoted(`${name}:${description}`)}`).join('\n')}
    ${quoted('help:Show the options of a command')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    _values option --help --version
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
    help) _describe command commands ;;
${commands.map(commandCase).join('\n')}
  esac
}
if [ "$funcstack[1]" = _planspan ]; then _planspan "$@"; else compdef _planspan planspan; fi
`

const commandCase = ({ name, options, takesFiles, words }: DescribedCommand): string =>
  [
    `    ${name}) _arguments -s \\`,
    ...options.map((option) => `      ${quoted(argumentOf(option))} \\`),
    `      ${quoted('--help[Show the options]')}${argumentsOf(takesFiles, words)} ;;`,
  ].join('\n')

function argumentsOf(takesFiles: boolean, words: readonly string[]): string {
  if (takesFiles) return ` ${quoted('*:file:_files')}`
  return words.length > 0 ? ` ${quoted(`1:word:(${words.join(' ')})`)}` : ''
}

function argumentOf({ name, description, takesValue, values, takesSeveral, takesPath }: DescribedOption): string {
  // With =, a value may follow either a blank or an equals sign.
  const head = `--${name}${takesValue ? '=' : ''}[${description.replaceAll(/[[\]\\:]/g, '\\$&')}]`
  if (!takesValue) return head
  const few = takesSeveral
    ? `_values -s , value ${values.join(' ')}`
    : `(${values.join(' ').replaceAll(':', String.raw`\:`)})`
  const action = takesPath ? '_files' : values.length > 0 ? few : ' '
  return `${head}:${name}:${action}`
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
