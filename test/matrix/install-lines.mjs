/**
 * @typedef {object} InstallLine
 * @property {string} use The comment above the command: what it is for.
 * @property {string} command The command as it stands there, and may be copied from there.
 */

/**
 * The commands of README.md's "Install and use", in their order.
 * @param {string} readme
 * @returns {InstallLine[]}
 */
export function installLines(readme) {
  const block = /^## Install and use\n+```\n([^]*?)^```$/m.exec(readme)?.[1] ?? ''
  return [...block.matchAll(/^# (.*)\n((?:.*\\\n)*.*)$/gm)].map(([, use = '', command = '']) => ({ use, command }))
}
