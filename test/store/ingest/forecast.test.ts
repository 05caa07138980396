import { describe, expect, it } from 'vitest'

import { Forecast } from '../../../src/store/ingest/forecast.js'

describe('a forecast', () => {
  it('holds nothing against a store of which nothing is known', () => {
    expect(new Forecast().of(100)).toBe(0)
  })

  it('takes no small batch for a measure of large ones', () => {
    const forecast = new Forecast()
    forecast.took(0.001, 100)
    expect([forecast.of(0.001), forecast.of(10)]).toEqual([100, 100])
  })

  it('grows with the load as large batches did', () => {
    const forecast = new Forecast()
    forecast.took(0.5, 400)
    expect([forecast.of(1), forecast.of(8)]).toEqual([800, 6400])
  })

  it('follows a store that becomes slower, and faster again', () => {
    const forecast = new Forecast()
    forecast.took(1, 100)
    for (let batch = 0; batch < 10; batch++) forecast.took(1, 1000)
    expect(forecast.of(1)).toBeGreaterThan(900)
    for (let batch = 0; batch < 10; batch++) forecast.took(1, 100)
    expect(forecast.of(1)).toBeLessThan(150)
  })

  it('expects a batch that is late to take as long again as it is late', () => {
    const forecast = new Forecast()
    forecast.took(1, 1000)
    expect([0, 600, 1000, 4000].map((elapsed) => forecast.rest(1, elapsed))).toEqual([1000, 400, 0, 3000])
  })
})
