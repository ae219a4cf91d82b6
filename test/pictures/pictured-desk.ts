// Starts the desk in the pictures of the README: a serve with two policies, one run that settled after a lost answer,
// and one that waits for approval. Its console is open.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Running, sluice, startSluice } from '../integration/cli/command-line.ts'
import { startSandboxBeside } from '../integration/cli/sandbox-beside.ts'

export interface PicturedDesk {
  /** A link to a new console, which works once. */
  readonly openLink: () => Promise<string>
  readonly runId: string
  readonly stop: () => Promise<void>
}

const timing = { tokenLifeSeconds: 5, leewaySeconds: 0, visibilitySeconds: 15, pollInsideSeconds: 0, pollWaits: 0 }

/** `dir`: empty. */
export async function startPicturedDesk(dir: string): Promise<PicturedDesk> {
  const service = await startSandboxBeside()
  const running: Running[] = []
  const stop = async () => {
    for (const { child, ended } of running.toReversed()) {
      child.kill('SIGINT')
      await ended
    }
    await service.stop()
  }
  try {
    writeFileSync(path.join(dir, 'keys.json'), service.keys, { mode: 0o600 })
    const account = ['--service', service.baseUrl, '--keys', path.join(dir, 'keys.json')]
    const place = ['--state', path.join(dir, 'state'), '--config', path.join(dir, 'treasury.json'), ...account]
    const contacts = await json<{ id: string; reference: string | null }[]>(['service', 'contacts', ...account])
    const contactId = contacts.find(({ reference }) => reference === 'exchange-usdc-eth')?.id
    const policies = {
      balanced: {
        kind: 'rebalance',
        weights: { EUR: '0.3', SOL: '0.5', NVDASPV: '0.2' },
        turnover: { day: '250000' },
        schedule: { expression: 'cron(0 9 1 * ? *)', timeZone: 'Europe/Madrid' },
      },
      payout: {
        kind: 'sweep',
        rules: [{ assets: ['USDC'], keep: { target: '90000' }, contactId }],
        approval: { above: '1000' },
      },
    }
    writeFileSync(
      path.join(dir, 'treasury.json'),
      JSON.stringify({ service: { url: 'https://api.example.com', stage: 'test' }, timing, policies }),
    )
    const serving = startSluice(['serve', '--jsonl', ...place])
    running.push(serving)
    await serving.firstLine
    await service.arrange('/v2/orders', { kind: 'dropAfterCommit' })
    const { runId } = await json<{ runId: string }>(['run', 'rebalance', 'balanced', '--id', 'month-end', ...place])
    await json(['run', 'sweep', 'payout', '--id', 'month-end-payout', ...place])
    return {
      runId,
      stop,
      async openLink() {
        const opened = startSluice(['console', '--json', ...place])
        running.push(opened)
        return (JSON.parse(await opened.firstLine) as { url: string }).url
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function json<Data>(args: readonly string[]): Promise<Data> {
  const { stdout, stderr } = await sluice([...args, '--json'])
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Data
}
