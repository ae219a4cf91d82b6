// Hints name the program as the person started it.
import { expect, test } from 'vitest'
import { invocationOf } from '../../../../cli/terminal/command-line.ts'

test.each([
  ['a link on the PATH', '/usr/local/bin/sluice', undefined, 'sluice'],
  ['npx in the repo', '/repo/node_modules/.bin/sluice', 'exec', 'npx sluice'],
  ['npx beside a link', '/usr/local/bin/sluice', 'exec', 'npx sluice'],
  ['npm run', '/repo/cli/main.ts', 'run-script', 'npx sluice'],
  ['node', '/repo/cli/main.ts', undefined, 'npx sluice'],
  ['a folder of links', '/other/node_modules/.bin/sluice', undefined, 'npx sluice'],
  ['nothing', undefined, undefined, 'npx sluice'],
])('started by %s the hints say so', (_by, script, npmCommand, hint) => {
  expect(invocationOf(script, npmCommand === undefined ? {} : { npm_command: npmCommand })).toBe(hint)
})
