import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.2.3 - 2026-01-02\n\n### Added\n\n- Old.\n\n## 1.2.2\n\n- Older.\n'

test.each([
  ['v1.2.3', '1.2.3', 0, '### Added\n\n- Old.\n', ''],
  ['v1.2.4', '1.2.3', 1, '', 'The tag is v1.2.4, and package.json has the version 1.2.3: the tag has to be v1.2.3.\n'],
  [
    'v1.3.0',
    '1.3.0',
    1,
    '',
    'CHANGELOG.md has no section "## 1.3.0": give the section Unreleased this name, and the date.\n',
  ],
])('the release of tag %s and version %s ends with %i', (tag, version, status, stdout, stderr) => {
  const root = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'scripts'))
  copyFileSync('scripts/release-notes.mjs', join(root, 'scripts/release-notes.mjs'))
  writeFileSync(join(root, 'package.json'), JSON.stringify({ version }))
  writeFileSync(join(root, 'CHANGELOG.md'), CHANGELOG)
  const ended = spawnSync(process.execPath, ['scripts/release-notes.mjs', tag], { cwd: root, encoding: 'utf8' })
  expect(ended).toMatchObject({ status, stdout, stderr })
})
