import { describe, expect, it } from 'vitest'

import { Forecast } from '../../../src/store/ingest/forecast.js'

describe('a forecast', () => {
  it('expects no delay from an unknown store', () => {
    expect(new Forecast().estimate(100)).toBe(0)
  })

  it('does not extrapolate from small batches to large ones', () => {
    const forecast = new Forecast()
    forecast.record(0.001, 100)
    expect([forecast.estimate(0.001), forecast.estimate(10)]).toEqual([100, 100])
  })

  it('grows with the load as large batches did', () => {
    const forecast = new Forecast()
    forecast.record(0.5, 400)
    expect([forecast.estimate(1), forecast.estimate(8)]).toEqual([800, 6400])
  })

  it('adapts to a store that becomes slower, and faster again', () => {
    const forecast = new Forecast()
    forecast.record(1, 100)
    for (let batch = 0; batch < 10; batch++) forecast.record(1, 1000)
    expect(forecast.estimate(1)).toBeGreaterThan(900)
    for (let batch = 0; batch < 10; batch++) forecast.record(1, 100)
    expect(forecast.estimate(1)).toBeLessThan(150)
  })

  it('expects an overdue batch to take as long again as it is overdue', () => {
    const forecast = new Forecast()
    forecast.record(1, 1000)
    expect([0, 600, 1000, 4000].map((elapsed) => forecast.remaining(1, elapsed))).toEqual([1000, 400, 0, 3000])
  })
})
