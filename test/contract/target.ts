// Chooses the service of the contract suite: the one that the environment names (see main.ts), or a sandbox of its own.
// It must not know what is tested.
import { readFileSync } from 'node:fs'
import { type ProfileName, startSandbox } from '@sluice/service-sandbox'
import type { TestContext } from 'vitest'
import { systemClock } from '../../core/clock.ts'
import { parseKeyMaterial } from '../../core/keys/key-material.ts'
import { type KeyRole, staticKeySource } from '../../core/keys/key-source.ts'
import { createReadBudget } from '../../core/service/pace.ts'
import type { SendAnswer, WithdrawalAnswer } from '../../core/service/ports.ts'
import {
  createServiceClient,
  type ServiceClient,
  type ServiceClientOptions,
} from '../../core/service/service-client.ts'

/** Set by main.ts. */
export const TargetVariable = {
  Service: 'SLUICE_CONTRACT_SERVICE',
  Keys: 'SLUICE_CONTRACT_KEYS',
  Moves: 'SLUICE_CONTRACT_MOVES',
  Profile: 'SLUICE_CONTRACT_PROFILE',
} as const

export interface Target {
  /** Clients with the key of each role; the same key if the file holds only one. */
  readonly read: ServiceClient
  readonly trade: ServiceClient
  readonly transfer: ServiceClient
  /** Whether orders may be placed and withdrawals made. */
  readonly mayMove: boolean
  /**
   * Ends a test whose subject this account does not have. It is skipped by name there, and fails at the sandbox, which
   * has everything.
   */
  lacks(what: string, test: TestContext): never
  close(): Promise<void>
}

export async function openTarget(env: NodeJS.ProcessEnv): Promise<Target> {
  const { Profile } = TargetVariable
  const baseUrl = env[TargetVariable.Service]
  if (baseUrl === undefined) {
    const sandbox = await startSandbox(env[Profile] === undefined ? {} : { profile: env[Profile] as ProfileName })
    // Random failures say nothing about the contract.
    await fetch(`${sandbox.controlUrl}/rules`, { method: 'DELETE' })
    // Deposits come from outside, because no call of the service makes one.
    for (const assetSymbol of ['USDC', 'AAPLSPV']) {
      const body = JSON.stringify({ assetSymbol, credit: '5' })
      const headers = { 'content-type': 'application/json' }
      await fetch(`${sandbox.controlUrl}/balance`, { method: 'POST', headers, body })
    }
    const clients = connect(sandbox.baseUrl, JSON.stringify(sandbox.keys.full), {})
    const lacks = (what: string): never => {
      throw new Error(`the sandbox has no ${what}`)
    }
    return { ...clients, mayMove: true, lacks, close: () => sandbox.stop() }
  }
  // A suite reads much in little time. It begins slowly, and follows the service's limits.
  const budget = createReadBudget({ clock: systemClock, burst: 20, perSecond: 20 })
  const material = readFileSync(env[TargetVariable.Keys] ?? '', 'utf8')
  const clients = connect(baseUrl, material, { budget, readLimits: { deadlineMs: 90_000 } })
  const mayMove = env[TargetVariable.Moves] === 'yes'
  return { ...clients, mayMove, lacks: (what, test) => test.skip(`no ${what}`), close: async () => undefined }
}

function connect(
  baseUrl: string,
  material: string,
  pace: Pick<ServiceClientOptions, 'budget' | 'readLimits'>,
): Pick<Target, KeyRole> {
  const stage = material.includes('svc_live_') ? 'live' : 'test'
  const clientOf = (role: KeyRole) =>
    createServiceClient({
      baseUrl,
      key: staticKeySource(parseKeyMaterial(material, { stage, role })),
      clock: systemClock,
      newId: () => crypto.randomUUID(),
      ...pace,
    })
  return { read: clientOf('read'), trade: clientOf('trade'), transfer: clientOf('transfer') }
}

/** Longest time until an accepted request can be read, with or without its answer. */
export const VISIBLE_WITHIN_MS = 65_000

/**
 * A service may work on a send for longer than the client listens. Then there is no answer, and the send may be
 * accepted.
 */
export function isAnswered(answer: SendAnswer | WithdrawalAnswer): boolean {
  if (answer.kind !== 'unproven') return true
  if (answer.said.status !== undefined) throw new Error(`not accepted: ${answer.said.text}`)
  return false
}

/** The first `count` items of a walk. */
export async function take<Item>(count: number, walk: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of walk) if (items.push(item) === count) break
  return items
}
