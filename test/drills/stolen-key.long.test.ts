// The runbook's steps stop a stolen key, name the movement that it made, and continue with a new key.
import { expect, test } from 'vitest'
import { drill, startDesk } from './drill.ts'

test('after a key was stolen sending stops, the thief’s movement is named, and our own work continues with a new key', async () => {
  const since = new Date(Date.now() - 60_000).toISOString()
  const desk = await startDesk({})
  const { sandbox } = desk
  const conversion = (name: string, amount: string) =>
    desk.file(name, JSON.stringify({ baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount }))
  const ours = await desk.sluice('run', 'convert', conversion('ours.json', '250'), '--id', 'ours', '--json')
  expect(ours.exitCode, ours.stderr + ours.stdout).toBe(0)
  // The thief has the key, and another journal. A new journal waits, by the service's clock, for what was sent
  // elsewhere.
  await desk.control('/clock', { advanceMs: 3_600_000 })
  const thief = desk.startElsewhere('run', 'convert', conversion('theirs.json', '300'))
  await thief.seen(/this directory is new/)
  await desk.control('/clock', { advanceMs: 3_600_000 })
  const theirs = await thief.ended
  expect(theirs.exitCode, theirs.stderr + theirs.stdout).toBe(0)
  const { orderId: stolen } = JSON.parse(theirs.stdout)
  const outputs = await drill('A key is stolen', desk, {
    values: { SINCE: since },
    byHand: {
      'in the service’s dashboard, revoke the key, and look for contacts that nobody knows': async () => {
        await desk.control('/keys/full', { do: 'revoke' })
      },
      'in the service’s dashboard, make a new key, and write its bearer secret to bearer.txt': () => {
        const { secret, privateKeyPem, alg } = sandbox.keys.rsa
        desk.file('bearer.txt', secret)
        desk.file('keys.json', JSON.stringify({ secret, privateKeyPem, alg }))
      },
      'in the service’s dashboard, upload the public half that was printed': async (outputs) => {
        const publicKeyPem = outputs.at(-1)?.stdout
        await desk.control('/keys/rsa', { do: 'addSigningKey', publicKeyPem })
      },
      'wait until the audit says that it judges all that has moved by now: some 20 minutes': async () => {
        await desk.control('/clock', { advanceMs: 3_600_000 })
      },
      'claim what is gone from the service, with the ids that the audit has named': () => undefined,
    },
  })
  const audit = outputs.find(({ line }) => line.includes('journal audit'))
  expect(audit?.stdout).toContain(stolen)
  expect(audit?.stdout).not.toContain(JSON.parse(ours.stdout).orderId)
})
