import { expectTypeOf, test } from 'vitest'

import type { ExportQuery, FeedOptions, ImportQuery, ListQuery, RecordQuery } from '../../src/client/index.js'
import type { State, Verdict } from '../../src/semconv/index.js'

test('parameters have the types that the server parses', () => {
  expectTypeOf<ListQuery['all']>().toEqualTypeOf<boolean | undefined>()
  expectTypeOf<ListQuery['agent']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<ListQuery['state']>().toEqualTypeOf<State | readonly State[] | undefined>()
  expectTypeOf<ListQuery['verdict']>().toEqualTypeOf<Verdict | undefined>()
  expectTypeOf<ListQuery['since']>().toEqualTypeOf<string | Date | undefined>()
  expectTypeOf<ListQuery['limit']>().toEqualTypeOf<number | `${number}` | undefined>()
  expectTypeOf<ListQuery['minRisk']>().toEqualTypeOf<number | `${number}` | undefined>()
  expectTypeOf<'90s' | '2h'>().toExtend<ListQuery['minDuration']>()
  expectTypeOf<'90' | 90>().not.toExtend<ListQuery['minDuration']>()
  expectTypeOf<ExportQuery['exact']>().toEqualTypeOf<boolean | undefined>()
  expectTypeOf<'plan-act:sse'>().toExtend<RecordQuery['format']>()
  expectTypeOf<'plan'>().not.toExtend<RecordQuery['format']>()
  expectTypeOf<'auto'>().toExtend<ImportQuery['format']>()
  expectTypeOf<{ agents: string }>().not.toExtend<ListQuery>()
  expectTypeOf<FeedOptions['lastEventId']>().toEqualTypeOf<string | undefined>()
})
