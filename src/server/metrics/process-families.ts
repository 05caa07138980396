import process from 'node:process'

import { PLANSPAN_VERSION } from '../../base/version.js'
import type { Family } from './exposition.js'

/** The process metrics of Prometheus' own clients. */
export function processFamilies(): Family[] {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return [
    {
      name: 'planspan_build_info',
      type: 'gauge',
      help: 'The version of planspan and of Node.js.',
      samples: [[{ version: PLANSPAN_VERSION, node: process.versions.node }, 1]],
    },
    {
      name: 'process_cpu_seconds',
      type: 'counter',
      unit: 'seconds',
      help: 'What the process has used of processors.',
      samples: [[{}, (user + system) / 1e6]],
    },
    {
      name: 'process_resident_memory_bytes',
      type: 'gauge',
      unit: 'bytes',
      help: 'The memory of the process, without ClickHouse’s.',
      samples: [[{}, rss]],
    },
    {
      name: 'nodejs_heap_size_used_bytes',
      type: 'gauge',
      unit: 'bytes',
      help: 'What of it JavaScript’s values take.',
      samples: [[{}, heapUsed]],
    },
    {
      name: 'process_start_time_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'When the process began, since 1970.',
      samples: [[{}, performance.timeOrigin / 1000]],
    },
  ]
}
