import type { DescribedCommand, DescribedOption } from './described.js'

/** Generates bash completion of planspan's command lines. */
export const bashScript = (commands: readonly DescribedCommand[]): string => `# bash completion for planspan
_planspan() {
  # Bash splits words at colons and equals signs, too, so this splits the line at blanks and after options.
  local line="\${COMP_LINE:0:COMP_POINT}" current previous command words="" files=""
  current="\${line##*[ =]}"
  line="\${line%"$current"}"
  read -r _ command _ <<< "$line"
  previous="\${line%[ =]}"
  previous="\${previous##* }"
  COMPREPLY=()
  if [[ -z $command ]]; then
    words="${commands.map(({ name }) => name).join(' ')} help --help --version"
  else
    case "$command $previous" in
${commands.flatMap(({ name, options }) => options.flatMap((option) => valueCase(name, option))).join('\n')}
      "help help") words="${commands.map(({ name }) => name).join(' ')}" ;;
      *)
        case "$command" in
${commands.map(commandCase).join('\n')}
        esac
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ -n $files && $current != -* ]] && COMPREPLY+=($(compgen -f -- "$current"))
  # For a word with a colon, bash completes only the part after it.
  [[ $current == *:* ]] && COMPREPLY=("\${COMPREPLY[@]#"\${current%:*}:"}")
}
complete -o filenames -F _planspan planspan
`

/** The completion of an option's value; nothing for an option without a value. */
function valueCase(command: string, { name, takesValue, values, takesSeveral, takesPath }: DescribedOption): string[] {
  if (!takesValue) return []
  const head = `      "${command} --${name}")`
  if (takesPath) return [`${head} files=yes ;;`]
  const few = values.join(' ')
  if (!takesSeveral) return [`${head} ${few === '' ? ':' : `words="${few}"`} ;;`]
  return [`${head} words="${few}"`, `        [[ $current == *,* ]] && words="$(printf "\${current%,*},%s " $words)" ;;`]
}

const commandCase = ({ name, options, takesFiles, words }: DescribedCommand): string =>
  `          ${name}) words="${[...words, ...options.map((option) => `--${option.name}`)].join(' ')} --help"${takesFiles ? '; files=yes' : ''} ;;`
