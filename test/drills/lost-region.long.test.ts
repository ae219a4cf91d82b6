// The runbook's steps after the loss of a region let nothing move twice.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { databaseFolder } from '@sluice/embedded-aws'
import { expect, test } from 'vitest'
import { StateMachine } from '../../core/contract/states.ts'
import { drill, startDesk } from './drill.ts'
import { runInVirtualTime } from './virtual-time.ts'

const dollars = (baseAsset: string, amount: string) =>
  ({ baseAsset, quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount }) as const

test('in a region with only a copy of the journal, no open or later id moves again', async () => {
  const desk = await startDesk({ timing: { intentLifeSeconds: 30 } })
  const movements = async () => (await desk.control<{ movements: { id: string }[] }>('/oracle')).movements
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const doubt = { ...dollars('BTC', '250'), notAfter: tomorrow }
  const since = desk.file('since.json', JSON.stringify(dollars('ETH', '300')))
  await desk.close()

  // The copy has an attempt without any answer. The next attempt moved, and then the region was lost.
  const always = { times: 'always' }
  await desk.control('/rules', {
    match: { ...always, method: 'POST', path: '/v2/orders' },
    fault: { kind: 'dropBeforeCommit' },
  })
  await desk.control('/rules', {
    match: { ...always, method: 'GET', path: '/v2/orders/*' },
    fault: { kind: 'errorBeforeCommit', status: 503, code: 'internal_error' },
  })
  const convert = { stateMachine: StateMachine.Convert, input: doubt }
  expect(await runInVirtualTime(desk, [{ ...convert, name: 'doubt' }])).toEqual(['NEEDS_ATTENTION'])
  const copy = path.join(desk.folder, 'copy')
  cpSync(databaseFolder(desk.awsDir()), copy, { recursive: true })
  await fetch(`${desk.sandbox.controlUrl}/rules`, { method: 'DELETE' })
  expect(await runInVirtualTime(desk, [{ ...convert, name: 'doubt_2' }])).toEqual(['FILLED'])
  const [ofDoubt] = await movements()
  await desk.serveAgain()
  expect((await desk.sluice('run', 'convert', since, '--id', 'since', '--json')).exitCode).toBe(0)
  const ofSince = (await movements()).find(({ id }) => id !== ofDoubt?.id)
  await desk.control('/clock', { advanceMs: 3_600_000 })

  const outputs = await drill('A region is lost', desk, {
    values: {
      NAME: 'ada',
      TEXT: 'the region is lost',
      INTENT: 'doubt',
      MOVEMENT: ofDoubt?.id ?? '',
      OTHER: ofSince?.id ?? '',
    },
    // Nobody can serve before the journal is accepted, and deployed functions refuse it.
    deploy: () => Promise.resolve(),
    byHand: {
      'in the service’s dashboard, revoke the keys of the lost region, and make new ones': async () => {
        await desk.control('/keys/full', { do: 'revoke' })
      },
      'restore the newest copy of the journal in the other region, under the name of a new environment': async () => {
        await desk.moveTo('other-region')
        const database = databaseFolder(desk.awsDir())
        mkdirSync(path.join(desk.folder, 'other-region'), { mode: 0o700 })
        cpSync(copy, database, { recursive: true })
        // The account of a desk's records and the service's address. A deployment has them in its file.
        const [was, is] = ['state', 'other-region'].map((name) => path.join(desk.folder, name, 'account.json'))
        cpSync(was ?? '', is ?? '')
        // Gives the restored table a new id, because DynamoDB does so too.
        writeFileSync(`${database}.opened.json`, JSON.stringify(['of another table']))
      },
      'name that environment and that region in treasury.json': () => undefined,
      'put the new keys there': () => {
        const { secret, privateKeyPem, alg } = desk.sandbox.keys.rsa
        desk.file('keys.json', JSON.stringify({ secret, privateKeyPem, alg }))
      },
      'start each id again that was asked for since the copy, and wait until it has ended: halted, it moves nothing':
        async () => {
          const ended = await desk.sluice('run', 'convert', since, '--id', 'since', '--json')
          expect(ended.stdout, ended.stderr).toContain('EXPIRED_OUT')
        },
    },
  })
  const outputOf = (command: string) => outputs.find(({ line }) => line.startsWith(`npx sluice ${command}`))?.stdout
  expect(outputOf('journal verify')).toContain('BEHIND  I#convert#doubt')
  expect(outputOf('journal verify')).toContain(`UNCLAIMED  ${ofSince?.id}`)
  expect(outputOf('journal rebuild')).toContain('doubt  ESCALATED')
  await desk.sluice('run', 'convert', since, '--id', 'since')
  await desk.sluice('cases', 'again', 'doubt')
  expect(await movements()).toHaveLength(2)
})
