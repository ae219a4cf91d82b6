// Leaves behind what a machine is switched off in: executions of every state machine, under way, with the journal and the
// service's books. It is run once for each release, in the source of that release:
//   node test/releases/leave-unfinished.ts test/releases/0.3.0
// The test beside it goes on from there with the code of today. Nothing here may depend on what a release can change,
// but for the embedded AWS, the sandbox and the synthesis.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedAws } from '@sluice/embedded-aws'
import { synthesize } from '../../infra/synthesize.ts'
import { startSandbox } from '@sluice/service-sandbox'
import { declared } from '../helpers/declared-journal.ts'

const SECRET = 'sluice/service-key'
/** Waits of this and more are never over: each execution ends up in one. Shorter ones are between retries. */
const PARKED_MS = 1_000

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('expected a folder, such as test/releases/0.3.0')
mkdirSync(folder, { recursive: true })

const sandbox = await startSandbox({ stateFile: path.join(folder, 'sandbox.log') })
const control = async (target: string, body?: object) => {
  const init = body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const answer = await fetch(sandbox.controlUrl + target, init)
  if (!answer.ok) throw new Error(`${target}: ${answer.status} ${await answer.text()}`)
}
const next = async (where: string, ...faults: readonly object[]) => {
  for (const fault of faults) await control('/rules', { match: { method: 'POST', path: where, times: 1 }, fault })
}
/** Without an answer, and in no read for a while. */
const LOST = [{ kind: 'dropAfterCommit' }, { kind: 'lateVisibility', ms: 30_000 }]
const contactId = sandbox.contacts.find(({ reference }) => reference === 'cold-eth')?.id

const treasury = {
  service: { url: 'https://service.example', stage: 'test', shared: false, keySecret: SECRET },
  timing: { pollInsideSeconds: 0 },
  policies: {
    balanced: { kind: 'rebalance', weights: { SOL: '0.5', USDT: '0.5' } },
    out: { kind: 'sweep', rules: [{ assets: ['ETH'], keep: { target: '10' }, contactId }] },
  },
}
const configFile = path.join(folder, 'treasury.json')
writeFileSync(configFile, `${JSON.stringify(treasury, undefined, 2)}\n`)
const made = mkdtempSync(path.join(tmpdir(), 'sluice-release-'))
process.env.CDK_VALIDATION ??= 'false'
synthesize({ configFile, outDir: path.join(made, 'cdk.out') })

let parked = 0
const { secret, privateKeyPem, alg } = sandbox.keys.full
const starting = startEmbeddedAws({
  assemblyDir: path.join(made, 'cdk.out'),
  stateDir: path.join(folder, 'aws'),
  parameters: { ServiceUrl: sandbox.baseUrl },
  secrets: { [SECRET]: JSON.stringify({ secret, privateKeyPem, alg }) },
  clock: {
    nowMs: () => Date.now(),
    async sleep(ms: number, signal?: AbortSignal) {
      if (ms < PARKED_MS) return
      parked += 1
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }))
    },
  },
})
const aws = await declared(starting)

const buy = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
const send = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
/** Each after what it meets, one after the other, so that a fault meets the movement that it is meant for. */
const UNDER_WAY = [
  ['lost-order', 'sluice-convert', buy, () => next('/v2/orders', ...LOST)],
  ['refused-order', 'sluice-convert', buy, () => next('/v2/orders', { kind: 'dropBeforeCommit' })],
  [
    'slow-order',
    'sluice-convert',
    buy,
    () => next('/v2/orders', { kind: 'settleLater', afterMs: 60_000, outcome: 'fill' }),
  ],
  ['lost-withdrawal', 'sluice-withdraw', send, () => next('/v2/withdrawals', ...LOST)],
  ['run', 'sluice-rebalance', { policy: 'balanced', trigger: { by: 'person' } }, () => next('/v2/orders', ...LOST)],
  ['sweep', 'sluice-sweep', { policy: 'out', trigger: { by: 'person' } }, async () => undefined],
] as const
for (const [name, stateMachine, input, arrange] of UNDER_WAY) {
  await arrange()
  const before = parked
  await aws.startExecution({ stateMachine, name, input: JSON.stringify(input) })
  while (parked === before) await new Promise((resolve) => setTimeout(resolve, 50))
  // A run may have more legs than the one that waits already.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
}
writeFileSync(path.join(folder, 'left.json'), `${JSON.stringify({ leftAt: new Date().toISOString() })}\n`)
await aws.stop()
await sandbox.stop()
rmSync(made, { recursive: true, force: true })
// The secrets are the sandbox's, which has them by its seed; the others are of a process that has ended.
for (const file of ['secrets.json', 'dynamodb.opened.json', 'dynamodb/LOCK', 'dynamodb/LOG', 'dynamodb/LOG.old']) {
  rmSync(path.join(folder, 'aws', file), { force: true })
}
