/**
 * The systems that validate planspan's documents: the location of their sources, the script that runs them, and their
 * rejections that have a reason.
 *
 * @typedef {{
 *   repository: string
 *   commit: string
 *   dialects: readonly string[]
 *   reader: string
 *   reasons: Readonly<Record<string, string>>
 * }} OriginalSystem
 * @type {Readonly<Record<string, OriginalSystem>>}
 */
export const SYSTEMS = {
  'manus-x': {
    repository: 'https://github.com/nuoyimanaituling/manus-x',
    commit: '895f5adc8089990ee9844696f8b72a2e66e5b588',
    dialects: ['plan-act:events', 'plan-act:sse', 'plan-act:session'],
    reader: 'manus_x.py',
    reasons: {},
  },
  SafePred: {
    repository: 'https://github.com/YurunChen/SafePred',
    commit: '495890eafce02f9990e494493891c4549114a2dc',
    dialects: ['trajectory', 'trajectory:traj'],
    reader: 'safepred.py',
    reasons: {
      "trajectory:traj: KeyError: 'screenshot_file'":
        'The judge wants to see the last screenshot, and the agents of other systems take none.',
    },
  },
  'my-deep-research': {
    repository: 'https://github.com/Lin-Guanguo/my-deep-research',
    commit: 'a145fe17f8fe6c974398def1a730906d02b18115',
    dialects: ['review-log'],
    reader: 'my_deep_research.py',
    reasons: {},
  },
}
