import { type Rule, UNMASKED } from './rule.js'

const VALUE = String.raw`(?:(?<=")[^"\n]+|(?<=')[^'\n]+|[^\s"'\\|;&]+)`

/** Matches the value of a one-letter flag, within the command's own part of the line. */
const flag = (signs: readonly string[], names: string, flags: string, gap: string): Rule => ({
  signs,
  keepsFirst: true,
  pattern: new RegExp(
    String.raw`(\b(?:${names})\b[^\n|;&]{0,300}?\s(?:${flags})${gap}["']?)${UNMASKED}(?!-)${VALUE}`,
    'g',
  ),
})

export const COMMAND_SECRETS: readonly Rule[] = [
  flag(['curl', 'wget', 'http'], 'curl|https?(?!:)|xhs?', '-u|--user|-a|--auth', String.raw`[\s=]{1,4}`),
  // MySQL's clients ask for a password if it is not attached.
  flag(['mysql', 'mariadb'], String.raw`mysql\w{0,12}|mariadb(?:-\w{1,12})?`, '-p', ''),
  flag(['sshpass'], 'sshpass', '-p', String.raw`\s{0,4}`),
  flag(
    ['login', 'mongo'],
    String.raw`(?:docker|podman|helm registry|oc|az|nerdctl|skopeo) login|mongo\w{0,8}`,
    '-p',
    ' {1,4}',
  ),
  flag(['redis-cli', 'valkey-cli'], '(?:redis|valkey)-cli', '-a', ' {1,4}'),
  flag(['ldap'], String.raw`ldap(?:search|add|modify|delete|whoami|passwd)`, '-w', ' {1,4}'),
  flag(['zip'], '(?:un)?zip', '-P', ' {0,4}'),
  flag(['7z'], '7z[azr]?', '-p', ''),
  { signs: ['pass:'], keepsFirst: true, pattern: /(\s-pass(?:in|out)?\s{1,4}pass:)(?!\[REDACTED\])[^\s"'\\]+/g },
]
