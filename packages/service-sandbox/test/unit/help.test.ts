// The help of the sandbox can be read on a terminal of 80 columns.
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { PROFILES } from '../../service/profiles.ts'

const { stdout: help } = spawnSync(process.execPath, ['packages/service-sandbox/main.ts', '--help'], {
  encoding: 'utf8',
})

test.each(Object.keys(PROFILES))('the help of the sandbox names the profile %s', (profile) => {
  expect(help).toMatch(new RegExp(`[\\s]${profile}\\b`))
})

test('the help of the sandbox fits into 80 columns', () => {
  expect(help.split('\n').filter((line) => line.length > 80)).toEqual([])
})
