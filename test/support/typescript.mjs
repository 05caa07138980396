// Lets plain Node run src/ without compiling, for worker threads that the code under test starts: they load their
// modules without Vitest. Passed to the test processes with --import, which their threads inherit.
import { register } from 'node:module'

register('./typescript-hooks.mjs', import.meta.url)
