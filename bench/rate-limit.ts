// Measures how closely many concurrent conversions approach the pace of a service that limits requests. Runs in real
// time, with several processes a function. Each process knows only its own answers.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type EmbeddedAws, startEmbeddedAws } from '@sluice/embedded-aws'
import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { StateMachine } from '../core/contract/states.ts'
import { loadTreasury } from '../core/treasury/config.ts'
import { synthesize } from '../infra/synthesize.ts'
import { declared } from '../test/helpers/declared-journal.ts'
import { CONVERSION } from './cold/shipped.ts'
import { paired } from './paired.ts'
import type { Report } from './report.ts'

const LIMIT = { perKey: 500, perAccount: 1_000_000, windowSeconds: 5 }
const REQUESTS_OF_RUN = 6
const PROCESSES_A_FUNCTION = 2
/** A hundred take 1.5 to 3.3 times the pace, by chance: a waiting conversion returns up to 30 s later. */
const AT_ONCE = 1_000

export async function benchRateLimit(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  synthesize({ configFile: 'treasury.json', outDir: folder })
  const sandbox = await startSandbox()
  const aws = await startAws(folder, sandbox)
  try {
    await convert(aws, 'first')
    await limit(sandbox)
    const ends = new Map<string, number>()
    const startMs = performance.now()
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, nth) => {
        const { attempts, outcome } = await convert(aws, `run-${nth}`)
        const end = `${outcome} at attempt ${attempts}`
        ends.set(end, (ends.get(end) ?? 0) + 1)
      }),
    )
    const tookMs = performance.now() - startMs
    const paceMs = (AT_ONCE * REQUESTS_OF_RUN * LIMIT.windowSeconds * 1_000) / LIMIT.perKey
    const { leftMs, ratios } = paired([tookMs], [paceMs])
    const baseline = { name: 'the pace of the service', value: paceMs }
    report.figure({ name: `${AT_ONCE} conversions at once`, unit: 'ms', value: leftMs, baseline, ratio: ratios })
    report.note(`${AT_ONCE} at once: ${[...ends].map(([end, times]) => `${end}: ${times}`).join(', ')}`)
  } finally {
    await aws.stop()
    await sandbox.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startAws(folder: string, sandbox: Sandbox): Promise<EmbeddedAws> {
  const { alg, privateKeyPem, secret } = sandbox.keys.full
  const starting = startEmbeddedAws({
    assemblyDir: folder,
    stateDir: path.join(folder, 'state'),
    parameters: { ServiceUrl: sandbox.baseUrl },
    secrets: { [loadTreasury().service.keySecret]: JSON.stringify({ secret, privateKeyPem, alg }) },
    workersPerFunction: PROCESSES_A_FUNCTION,
  })
  return declared(starting)
}

async function convert(aws: EmbeddedAws, name: string): Promise<{ outcome?: string; attempts?: number }> {
  const request = { stateMachine: StateMachine.Convert, name, input: JSON.stringify(CONVERSION) }
  const { executionArn } = await aws.startExecution(request)
  const { cause, output } = await aws.untilFinished(executionArn)
  return JSON.parse(output ?? cause ?? '{}')
}

async function limit(sandbox: Sandbox): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${sandbox.controlUrl}/limits`, { method: 'POST', body: JSON.stringify(LIMIT), headers })
  if (!answer.ok) throw new Error(`the limits: ${answer.status} ${await answer.text()}`)
}
