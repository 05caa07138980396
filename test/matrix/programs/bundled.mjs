// An agent that is bundled into one file.
import { plan, register } from '@planspan/sdk'

async function main() {
  const { shutdown } = await register({ serviceName: 'bundled' })
  await plan({ workflow: 'trip', planId: 'plan-rome' }, (p) => p.agent({ name: 'researcher' }, () => 'three museums'))
  await shutdown()
}
main().catch((error) => {
  console.error(error.code, error.message)
  process.exitCode = 1
})
