import { describe, expect, it } from 'vitest'

import { validate } from './collector.js'

describe('the configurations', () => {
  it.each([[['agent.yaml']], [['agent.yaml', 'to-jaeger.yaml']]])('%j are valid', (configs) => {
    const { status, stderr } = validate(configs)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})
