// Builds the world of one desk: a state directory with its files, and the service. The service runs in this process, so
// it survives every kill.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { builtInService } from '../../../../place/service/built-in-sandbox.ts'
import type { Given } from '../../campaign.ts'
import { mannersOf, TIMING } from '../kills.ts'
import { type AskedIntent, BALANCES, type BookedMovement } from './asked-intents.ts'

export interface DeskWorld {
  readonly dir: string
  readonly stateDir: string
  readonly serviceUrl: string
  /** Arguments of a command at this state directory. */
  command(...words: string[]): string[]
  /** Arguments of the command that runs the intent to its end. */
  run(intent: AskedIntent): string[]
  oracle(): Oracle
  stop(): Promise<void>
}

interface Oracle {
  readonly movements: readonly BookedMovement[]
  readonly invariants: { readonly ok: boolean }
}

export async function openWorld({ seed, profile }: Given): Promise<DeskWorld> {
  const dir = mkdtempSync(path.join(tmpdir(), 'sluice-kill-desk-'))
  const file = (name: string) => path.join(dir, name)
  const arranged = profile === undefined ? {} : { profile, manners: mannersOf(profile) }
  const sandbox = await startSandbox({ seed: `kill ${seed}`, ...arranged })
  for (const [assetSymbol, balance] of Object.entries(BALANCES)) {
    sandbox.control('POST', '/balance', { assetSymbol, balance })
  }
  const { keys, url } = builtInService(sandbox)
  writeFileSync(file('keys.json'), keys, { mode: 0o600 })
  const treasury = { service: { url: 'https://api.example.com', stage: 'test', shared: false }, timing: TIMING }
  writeFileSync(file('treasury.json'), JSON.stringify(treasury))
  const where = ['--config', file('treasury.json'), '--state', file('state'), '--service', url]
  const withKeys = [...where, '--keys', file('keys.json')]
  return {
    dir,
    stateDir: file('state'),
    serviceUrl: url,
    command: (...words) => [...words, ...(words[0] === 'serve' ? withKeys : [...where, '--json'])],
    run({ id, verb, request }) {
      writeFileSync(file(`${id}.json`), JSON.stringify(request))
      return ['run', verb, '--input', file(`${id}.json`), '--id', id, ...withKeys, '--json']
    },
    oracle: () => oracleOf(sandbox),
    stop: () => sandbox.stop(),
  }
}

function oracleOf(sandbox: Sandbox): Oracle {
  // The control API returns any type; this is the part of the oracle that is read here.
  return sandbox.control('GET', '/oracle') as Oracle
}
