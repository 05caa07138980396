/**
 * @typedef {object} InstallLine
 * @property {string} use The comment above the command: its purpose.
 * @property {string} command The command as written, ready to copy.
 */

/**
 * The commands of docs/install.md, in order.
 * @param {string} page
 * @returns {InstallLine[]}
 */
export function installLines(page) {
  const block = /^## What to install\n+```\n([^]*?)^```$/m.exec(page)?.[1] ?? ''
  return [...block.matchAll(/^# (.*)\n((?:.*\\\n)*.*)$/gm)].map(([, use = '', command = '']) => ({ use, command }))
}
