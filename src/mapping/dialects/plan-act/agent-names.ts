/** The names that ManusX gives its flow, the agent that plans and the one that works on steps. */
export const WORKFLOW = 'plan_act'
export const PLANNER = 'planner'
export const EXECUTOR = 'execution'
