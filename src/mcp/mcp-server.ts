import { McpServer } from '@modelcontextprotocol/server'

import type { Client } from '../client/index.js'
import { PLANSPAN_VERSION } from '../base/version.js'
import { INSTRUCTIONS } from './instructions.js'
import { registerTool, type Tool } from './define-tool.js'
import { askQuestion } from './tools/ask-question.js'
import { comparePlans } from './tools/compare-two-plans.js'
import { countPlans } from './tools/count-plans.js'
import { findFaults } from './tools/find-faults.js'
import { findPlans } from './tools/find-plans.js'
import { querySql } from './tools/query-sql.js'
import { readPlan } from './tools/read-plan.js'
import { readSpan } from './tools/read-span.js'

/** All tools, in display order. */
export const TOOLS: readonly Tool[] = [
  findPlans,
  countPlans,
  findFaults,
  readPlan,
  readSpan,
  comparePlans,
  askQuestion,
  querySql,
]

/** Creates an MCP server over a planspan client, for one connection or one request. */
export function createMcpServer(client: Client): McpServer {
  const server = new McpServer(
    { name: 'planspan', version: PLANSPAN_VERSION },
    { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } },
  )
  for (const tool of TOOLS) registerTool(server, client, tool)
  return server
}
