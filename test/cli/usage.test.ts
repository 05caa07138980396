import { defineCommand } from 'citty'
import { describe, expect, test } from 'vitest'

import { commandUsage } from '../../src/cli/usage.js'

const command = defineCommand({
  meta: {
    name: 'paint',
    description: 'Paint what is there, in the colour that is asked for, and say what was painted',
  },
  args: {
    files: { type: 'positional', required: false, description: 'What to paint' },
    colour: { type: 'string', valueHint: 'NAME', required: true, description: 'One of red, green and blue' },
    coats: { type: 'string', valueHint: 'N', default: '1', description: 'How often the same is painted over' },
    source: { type: 'string', default: '', description: 'Where from' },
    quick: { type: 'boolean', description: 'Don’t wait until it is dry' },
  },
})

const linesOf = (width: number) => commandUsage('paint', command as never, { width, variadic: true }).split('\n')

describe('the help of a command', () => {
  test('says what it takes, what must be given and what is taken for granted', () => {
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
