import { describe, expect, test } from 'vitest'

import { recognizeSource } from '../../../src/cli/follow/recognize-source.js'

describe('a source is recognized by its name', () => {
  test.each([
    ['output/plans.jsonl', { kind: 'files', path: 'output/plans.jsonl' }],
    ['http://lynxe:18080', { kind: 'lynxe', base: 'http://lynxe:18080', planId: undefined }],
    ['http://lynxe:18080/', { kind: 'lynxe', base: 'http://lynxe:18080', planId: undefined }],
    ['https://a.test/lynxe/ui/#/direct', { kind: 'lynxe', base: 'https://a.test/lynxe', planId: undefined }],
    ['http://lynxe/api/executor/details/plan-1', { kind: 'lynxe', base: 'http://lynxe', planId: 'plan-1' }],
    ['http://a.test/l/api/executor/details/a%20b', { kind: 'lynxe', base: 'http://a.test/l', planId: 'a b' }],
    [
      'http://manus/api/v1/sessions/a1',
      { kind: 'events', url: 'http://manus/api/v1/sessions/a1/chat', method: 'POST' },
    ],
    ['http://manus/sessions/a1/chat', { kind: 'events', url: 'http://manus/sessions/a1/chat', method: 'POST' }],
    [
      'http://127.0.0.1:4318/api/records/plan-1/events?format=x',
      { kind: 'events', url: 'http://127.0.0.1:4318/api/records/plan-1/events?format=x', method: 'GET' },
    ],
  ])('%s', (source, expected) => {
    expect(recognizeSource(source, 'auto')).toEqual(expected)
  })

  test.each([
    ['http://a.test/x', 'manus-x', { kind: 'events', url: 'http://a.test/x/chat', method: 'POST' }],
    ['http://a.test/x', 'events', { kind: 'events', url: 'http://a.test/x', method: 'GET' }],
    ['http://a.test/sessions/x', 'lynxe', { kind: 'lynxe', base: 'http://a.test/sessions/x', planId: undefined }],
  ])('%s with --system %s', (source, system, expected) => {
    expect(recognizeSource(source, system)).toEqual(expected)
  })

  test.each([
    ['-', 'auto', /Standard input cannot be read again/],
    ['plans.jsonl', 'lynxe', /--system lynxe takes a URL/],
    ['http://a.test', 'odd', /--system takes one of auto, lynxe/],
    ['http://user:secret@a.test', 'auto', /without a user or password/],
    ['http://', 'auto', /cannot be followed/],
  ])('%s with --system %s is rejected', (source, system, message) => {
    expect(() => recognizeSource(source, system)).toThrow(message)
    expect(() => recognizeSource(source, system)).not.toThrow(/secret/)
  })
})
