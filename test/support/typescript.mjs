// Lets plain Node run src/ as it stands, for worker threads that the code under test starts: they load their modules
// themselves, past Vitest. Given to the test processes with --import, which their threads inherit.
import { register } from 'node:module'

register('./typescript-hooks.mjs', import.meta.url)
