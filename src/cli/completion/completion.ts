import { PlanspanError } from '../../error.js'
import { defineCommand } from '../command.js'
import { COMMANDS } from '../commands.js'
import { EXIT } from '../exit-code.js'
import { print } from '../output/terminal.js'
import { bashScript } from './bash.js'
import { describeCommands } from './described.js'
import { fishScript } from './fish.js'
import { zshScript } from './zsh.js'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

/** `planspan completion`: prints shell completion of planspan's command lines. */
export const command = defineCommand({
  argument: { name: 'SHELL', description: 'bash, zsh or fish', values: Object.keys(SCRIPTS) },
  options: {},
  async run({ args: [shell = ''] }) {
    if (!Object.hasOwn(SCRIPTS, shell)) {
      throw new PlanspanError(
        'usage',
        `${JSON.stringify(shell)} is not a supported shell. Use ${Object.keys(SCRIPTS).join(', ')}.`,
      )
    }
    print(SCRIPTS[shell as keyof typeof SCRIPTS](await describeCommands(COMMANDS)).trimEnd())
    return EXIT.done
  },
})
