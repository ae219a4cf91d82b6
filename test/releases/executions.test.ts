// What a release left under way goes on with the code of today: executions, their definitions, the journal and the records
// in it. Each ends as one movement or none, and all of it ties out. How a release leaves it: leave-unfinished.ts.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { reconcileReport } from '../../core/contract/reconcile.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { startEmbeddedAws } from '@sluice/embedded-aws'
import { synthesize } from '../../infra/synthesize.ts'
import { startSandbox } from '@sluice/service-sandbox'

const RELEASES = import.meta.dirname
const SECRET = 'sluice/service-key'
/** Longer sleeps are time-outs of executions. */
const LONGEST_WAIT_MS = 3_600_000

const releases = readdirSync(RELEASES, { withFileTypes: true }).filter((entry) => entry.isDirectory())

/** A copy, at the moment after it was left, whenever the test runs. */
async function goOnFrom(release: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-left-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(path.join(RELEASES, release), folder, { recursive: true })
  const { leftAt } = JSON.parse(readFileSync(path.join(folder, 'left.json'), 'utf8'))
  const shiftMs = Date.now() - Date.parse(leftAt) - 1_000
  const nowMs = () => Date.now() - shiftMs
  const sandbox = await startSandbox({ stateFile: path.join(folder, 'sandbox.log'), clock: { nowMs } })
  onTestFinished(() => sandbox.stop())
  const assemblyDir = path.join(folder, 'cdk.out')
  synthesize({ configFile: path.join(folder, 'treasury.json'), outDir: assemblyDir })
  let passedMs = 0
  const { secret, privateKeyPem, alg } = sandbox.keys.full
  const aws = await startEmbeddedAws({
    assemblyDir,
    stateDir: path.join(folder, 'aws'),
    parameters: { ServiceUrl: sandbox.baseUrl },
    secrets: { [SECRET]: JSON.stringify({ secret, privateKeyPem, alg }) },
    clock: {
      nowMs: () => nowMs() + passedMs,
      async sleep(ms: number, signal?: AbortSignal) {
        if (ms > LONGEST_WAIT_MS) {
          await new Promise((_, reject) =>
            signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
          )
        }
        passedMs += ms
        sandbox.control('POST', '/clock', { advanceMs: Math.ceil(ms) })
      },
    },
  })
  onTestFinished(() => aws.stop())
  const movements = async () => {
    const answer = await fetch(`${sandbox.controlUrl}/oracle`)
    const { movements: moved } = (await answer.json()) as { readonly movements: readonly unknown[] }
    return moved
  }
  return { aws, movements }
}

describe.each(releases.map(({ name }) => name))('what %s left under way', (release) => {
  test('comes to its end, each as one movement or none, and ties out', async () => {
    const { aws, movements } = await goOnFrom(release)
    const left = Object.values(StateMachine).flatMap((stateMachine) => aws.listExecutions(stateMachine))
    expect(aws.damagedExecutions()).toEqual([])
    expect(left.length).toBeGreaterThanOrEqual(6)
    const ended = await Promise.all(
      left.map(async ({ executionArn, name }) => {
        const { output, status } = await aws.untilFinished(executionArn)
        return [name, `${status} ${JSON.parse(output ?? '{}').outcome}`] as const
      }),
    )
    expect(Object.fromEntries(ended)).toMatchObject({
      'lost-order': 'SUCCEEDED FILLED',
      'refused-order': 'SUCCEEDED FILLED',
      'slow-order': 'SUCCEEDED FILLED',
      'lost-withdrawal': 'SUCCEEDED COMPLETED',
      run: 'SUCCEEDED SETTLED',
      sweep: 'SUCCEEDED SETTLED',
    })
    // Each execution that moves is one movement: those that were asked for by name, and the legs of the runs.
    const moving = [StateMachine.Convert, StateMachine.Withdraw].flatMap((machine) => aws.listExecutions(machine))
    expect((await movements()).length).toBe(moving.length)
    const audit = reconcileReport.parse(JSON.parse(await aws.invokeFunction('sluice-reconcile', '{}')))
    expect(audit).toMatchObject({ outcome: 'TIES_OUT', findings: [] })
  })
})
