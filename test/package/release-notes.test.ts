import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.2.3 - 2026-01-02\n\n### Added\n\n- Old.\n\n## 1.2.2\n\n- Older.\n'

test.each([
  ['v1.2.3', '1.2.3', '1.2.3', 0, '### Added\n\n- Old.\n', ''],
  [
    'v1.2.4',
    '1.2.3',
    '1.2.3',
    1,
    '',
    'The tag is v1.2.4, and package.json has the version 1.2.3: the tag has to be v1.2.3.\n',
  ],
  [
    'v1.2.3',
    '1.2.3',
    '1.2.2',
    1,
    '',
    'planspan 1.2.3 depends on @planspan/sdk 1.2.2, and packages/sdk has 1.2.2: all three have to be the same version.\n',
  ],
  [
    'v1.3.0',
    '1.3.0',
    '1.3.0',
    1,
    '',
    'CHANGELOG.md has no section "## 1.3.0": give the section Unreleased this name, and the date.\n',
  ],
])('the release of tag %s, version %s and SDK %s exits with %i', (tag, version, sdk, status, stdout, stderr) => {
  const root = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const folder of ['scripts', 'packages/sdk']) mkdirSync(join(root, folder), { recursive: true })
  copyFileSync('scripts/release-notes.mjs', join(root, 'scripts/release-notes.mjs'))
  const dependencies = { '@planspan/sdk': sdk }
  writeFileSync(join(root, 'package.json'), JSON.stringify({ version, dependencies }))
  writeFileSync(join(root, 'packages/sdk/package.json'), JSON.stringify({ version: sdk }))
  writeFileSync(join(root, 'CHANGELOG.md'), CHANGELOG)
  const ended = spawnSync(process.execPath, ['scripts/release-notes.mjs', tag], { cwd: root, encoding: 'utf8' })
  expect(ended).toMatchObject({ status, stdout, stderr })
})
