import { describe, expect, test } from 'vitest'

import { defineCommand } from '../../src/cli/command.js'
import { EXIT } from '../../src/cli/exit-code.js'
import { commandUsage } from '../../src/cli/help.js'

const command = defineCommand({
  argument: { name: 'FILE', isVariadic: true, description: 'What to paint' },
  options: {
    colour: { type: 'string', valueHint: 'NAME', required: true, description: 'One of red, green and blue' },
    coats: { type: 'string', valueHint: 'N', default: '1', description: 'How often the same is painted over' },
    source: { type: 'string', default: '', description: 'Where from' },
    quick: { type: 'boolean', description: 'Don’t wait until it is dry' },
  },
  run: async () => EXIT.done,
})
const description = 'Paint what is there, in the colour that is asked for, and say what was painted'

const linesOf = (width: number) => commandUsage(command, { name: 'paint', description, width }).split('\n')

describe('the help of a command', () => {
  test('shows its arguments, which are required, and the defaults', () => {
    expect(linesOf(80)).toEqual([
      'Paint what is there, in the colour that is asked for, and say what was painted',
      '',
      'USAGE planspan paint --colour NAME [OPTIONS] FILE…',
      '',
      'ARGUMENTS',
      '  FILE…  What to paint',
      '',
      'OPTIONS',
      '  --colour NAME   One of red, green and blue',
      '  --coats N       How often the same is painted over (default: 1)',
      '  --source VALUE  Where from',
      '  --quick         Don’t wait until it is dry',
    ])
  })

  test('fits into a narrow terminal', () => {
    expect(linesOf(40).slice(0, 14)).toEqual([
      'Paint what is there, in the colour that',
      'is asked for, and say what was painted',
      '',
      'USAGE planspan paint --colour NAME [OPTIONS] FILE…',
      '',
      'ARGUMENTS',
      '  FILE…',
      '      What to paint',
      '',
      'OPTIONS',
      '  --colour NAME',
      '      One of red, green and blue',
      '  --coats N',
      '      How often the same is painted over',
    ])
  })
})
