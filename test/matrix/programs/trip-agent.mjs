// An agent without any code for its recorder.
import { plan } from '@planspan/sdk'

const answer = await plan({ workflow: 'trip', request: 'A day in Rome' }, async (p) => {
  const found = await p.agent({ name: 'researcher' }, () => 'three museums in Rome')
  return { planId: p.planId, found }
})
console.log(JSON.stringify(answer))
