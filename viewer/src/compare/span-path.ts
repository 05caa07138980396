import { pagePath } from 'planspan/client'

import type { ComparedRow } from '../model/compared.js'
import type { CompareStore } from './compare-store.js'

/** Returns the path to a row's span in its plan; undefined if that plan has no span there. */
export function spanPath(
  { names, other }: Pick<CompareStore, 'names' | 'other'>,
  row: Pick<ComparedRow, 'base' | 'other'>,
  side: 'base' | 'other',
): string | undefined {
  const name = names[side === 'base' ? 0 : other.value]
  const spanId = row[side]?.spanId
  return name && spanId ? pagePath(name, { span: spanId }) : undefined
}
