// Boots the assembly that this repo deploys, as `cdk synth` writes it.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { DEAD_LETTER_QUEUE, DEPOSIT_QUEUE, EVENT_BUS, FILE_QUEUE } from '../../../../core/contract/events.ts'
import { StateMachine } from '../../../../core/contract/states.ts'
import { temporaryFolder } from '../../../../test/helpers/folders.ts'
import { buildApp, samplePolicies, webhooks } from '../../../../test/infra/assembly.ts'
import { startEmbeddedAws } from '../../embedded-aws.ts'
import { temporaryDirectory } from './fixture/assembly.ts'

const assemblyDir = inject('assemblyDir')

/** One hash over the names and contents of all files. */
function fingerprint(directory: string): string {
  const hash = createHash('sha256')
  const files = globSync('**/*', { cwd: directory }).sort()
  for (const file of files.filter((name) => statSync(path.join(directory, name)).isFile())) {
    hash.update(file).update(readFileSync(path.join(directory, file)))
  }
  return hash.digest('hex')
}

test('boots twice over the same state, and the assembly stays unchanged', async () => {
  const { directory, remove } = temporaryDirectory()
  const before = fingerprint(assemblyDir)
  for (const _time of ['first', 'second']) {
    const aws = await startEmbeddedAws({ assemblyDir, stateDir: directory, prewarm: true })
    const { functions, stateMachines, tables } = aws.resources()
    const schedules = aws.schedules.list()
    await aws.stop()
    expect(stateMachines.map((resource) => resource.name)).toContain(StateMachine.Convert)
    expect(functions.every((resource) => resource.path.endsWith('/Function/Resource'))).toBe(true)
    expect(tables).toHaveLength(1)
    expect(schedules).toContainEqual(expect.objectContaining({ name: 'sluice-audit', expression: 'cron(0 * * * ? *)' }))
  }
  expect(fingerprint(assemblyDir)).toBe(before)
  remove()
})

test('boots with policies, their schedules, requesters and webhooks', async () => {
  const folder = temporaryFolder()
  buildApp(folder, { policies: samplePolicies, webhooks, requesters: ['210987654321'] }).synth()
  const aws = await startEmbeddedAws({
    assemblyDir: path.join(folder, 'cdk.out'),
    stateDir: path.join(folder, 'state'),
  })
  const { eventBuses, queues, stateMachines } = aws.resources()
  const schedules = aws.schedules.list().map(({ arn }) => arn.split(':schedule/')[1])
  const urls = aws.functionUrls().map(({ functionName }) => functionName)
  await aws.stop()
  expect(schedules).toEqual(
    expect.arrayContaining([
      'sluice-checks/sluice-audit',
      'sluice-checks/sluice-audit-continued',
      'sluice-checks/sluice-look-again',
      'sluice/each-morning',
      'sluice/hourly',
    ]),
  )
  expect(urls.sort()).toEqual([
    ...['sluice-decide', 'sluice-declare-foreign', 'sluice-receive-webhook', 'sluice-release', 'sluice-request-run'],
    ...['sluice-resolve', 'sluice-resume', 'sluice-throw-switch'],
  ])
  expect(eventBuses.map(({ name }) => name)).toEqual([EVENT_BUS])
  expect(queues.map(({ name }) => name)).toEqual([DEAD_LETTER_QUEUE, DEPOSIT_QUEUE, FILE_QUEUE])
  expect(stateMachines.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.values(StateMachine)))
})
