import { lengthAt, type Row } from '../model/row.js'
import { now } from '../parts/now.js'
import type { PlanStore } from './plan-store.js'

/** The duration of a span so far, milliseconds. */
export const lengthOf = ({ isMoving }: Pick<PlanStore, 'isMoving'>, row: Row): number =>
  lengthAt(row, isMoving.value ? now.value : undefined)
