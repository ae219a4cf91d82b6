// Tests what `npm run deploy` says at its end, and that its exit codes are those of the commands. Nothing here reaches
// AWS.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nextAfterDeploy, nextAfterFailedDeploy } from '../../infra/deploy/advice.ts'
import { ExitCode } from '../../place/exit-code.ts'

test('after a failed first creation a hint says how to make room, because the CDK cannot delete a protected stack', () => {
  const lines = nextAfterFailedDeploy([]).join('\n')
  expect(lines).toMatch(/^next: {2}what would prevent it: npx sluice setup doctor --aws --before-deploy/)
  expect(lines).toContain('aws cloudformation update-termination-protection --no-enable-termination-protection')
  expect(lines).toContain('--stack-name SluiceState')
})

test('a finished deployment names the next steps, for the same file', () => {
  expect(nextAfterDeploy(undefined)).toMatch(/^next: {2}npm run verify:deployed {3}#/)
  expect(nextAfterDeploy('live.json')).toContain('npm run verify:deployed -- --config live.json')
})

test('the exit codes of a deployment are those of the commands', () => {
  const text = readFileSync(new URL('../../infra/deploy/main.ts', import.meta.url), 'utf8')
  const codes = [...(/const ExitCode = \{([^}]*)\}/.exec(text)?.[1]?.matchAll(/(\w+): (\d+)/g) ?? [])]
  expect(codes).toHaveLength(5)
  for (const [, name = '', code] of codes)
    expect({ name, code }).toEqual({ name, code: String(ExitCode[name as 'Done']) })
})
