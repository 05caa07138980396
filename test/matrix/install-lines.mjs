/**
 * @typedef {object} InstallLine
 * @property {string} use The comment above the command: what it is for.
 * @property {string} command The command as it stands there, and may be copied from there.
 */

/**
 * The commands of docs/install.md, in their order.
 * @param {string} page
 * @returns {InstallLine[]}
 */
export function installLines(page) {
  const block = /^## What to install\n+```\n([^]*?)^```$/m.exec(page)?.[1] ?? ''
  return [...block.matchAll(/^# (.*)\n((?:.*\\\n)*.*)$/gm)].map(([, use = '', command = '']) => ({ use, command }))
}
