// Performs the acts of a world during its days. Each act is noted with its time, and the observer judges by these
// notes.
import { randomUUID } from 'node:crypto'
import type { EmbeddedAws } from '@sluice/embedded-aws'
import type { Sandbox } from '@sluice/service-sandbox'
import { intentIdOf } from '../../../core/contract/fields.ts'
import type { PayoutRow } from '../../../core/contract/payouts.ts'
import type { PlanLeg } from '../../../core/contract/plan.ts'
import { IntentKind, recordKey } from '../../../core/contract/records.ts'
import { RunEnd } from '../../../core/contract/runs.ts'
import { StateMachine } from '../../../core/contract/states.ts'
import { createHalts } from '../../../core/journal/halts.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import type { RecordStore } from '../../../core/journal/record-store.ts'
import { machineOf } from '../../../core/policies/kinds.ts'
import { createDecisionReader } from '../../../core/runs/approval/decisions.ts'
import { findMovementToDecide } from '../../../core/runs/approval/movement-decision.ts'
import { type RunRecord, runOfRecord } from '../../../core/runs/record/run-record.ts'
import { createRuns } from '../../../core/runs/record/runs.ts'
import { decisionKey } from '../../helpers/decision-key.ts'
import { ask } from './ask.ts'
import type { LedgerEntry } from './books.ts'
import { decide } from './decide.ts'
import type { Deployment } from './deployment.ts'
import { askToPay, type GivenFile, givenFile, writeOtherPage } from './give-file.ts'
import { checkAgain, type Found, resolveAll } from './settle-doubts.ts'
import type { TreasuryFile } from './treasury-file.ts'
import type { VirtualTime } from './virtual-time.ts'
import { withStore } from './with-store.ts'

/** All acts of a world on its treasury. */
export interface Hands {
  nowMs(): number
  /** Calls the sandbox's control API. The call is done and noted when this returns. */
  control(path: string, body: object): void
  /** Ends all faults of requests. */
  clearRules(): void
  /** Fixes the middle price of a market. */
  price(market: string, mid: number): void
  /** Returns the available balance of an asset. */
  available(asset: string): number
  /** Takes money by another way, such as a card. Takes nothing if the balance is too small. */
  spend(asset: string, amount: number): void
  /**
   * Changes treasury.json and deploys it while runs are under way. `renamed`: former names by new names. A refused file
   * is noted, and the former file stays.
   */
  edit(change: (file: TreasuryFile) => TreasuryFile, renamed?: Readonly<Record<string, string>>): void
  /** Starts a run of a policy now, as a person. */
  start(policy: string): void
  /** Halts a policy under this name, or resumes it, as a person. Resolves once it is recorded and noted. */
  halt(policy: string): Promise<void>
  resume(policy: string): Promise<void>
  /** Approves everything that waits, as it is shown, at one moment. Resolves once it is recorded. */
  approve(by?: string): Promise<void>
  /** Resolves each withdrawal in doubt with its movement, as a person. Resolves once it is recorded. */
  resolveDoubts(): Promise<void>
  /** Checks again each run of a policy that once ended in doubt. Resolves once the checks have begun. */
  checkAgain(policy: string): Promise<void>
  /** Requests a withdrawal for a policy, by another system's event. */
  requestWithdrawal(id: string, request: object): void
  /** Decides on each single withdrawal that waits, as its terms are shown. Resolves once it is recorded. */
  decideWithdrawals(decision: 'approved' | 'rejected', by: string): Promise<void>
  /** Changes the record of a run, as completely as the product would write it. */
  forge(run: string, change: (record: RunRecord) => Partial<RunRecord>): Promise<void>
  /** Gives a payout file to a policy. Resolves with the name of its run, once the run is asked for. */
  pay(policy: string, rows: readonly PayoutRow[]): Promise<string>
  /** Writes the last page of a payout file, with its last row changed, before anybody gives the file. */
  forgePage(rows: readonly PayoutRow[], change: (row: PayoutRow) => PayoutRow): Promise<void>
}

/** Path of the deeds in which people halt or resume a policy. */
export const HALTS = 'people/halts'

/** A call of the sandbox's control API, or a halt or resumption by people. */
export interface Deed {
  readonly atMs: number
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** An approval by a person, with the legs that were shown. */
export interface Approved {
  readonly atMs: number
  readonly by: string
  readonly run: string
  readonly policy: string
  readonly legs: readonly PlanLeg[]
}

/** A person's decision on a single withdrawal, with the terms that were shown. */
export interface SaidOfWithdrawal {
  readonly atMs: number
  readonly by: string
  readonly decision: 'approved' | 'rejected'
  readonly assetSymbol: string
  readonly contactId: string
  /** Settled units, fee included. */
  readonly total: string
}

export interface Notes {
  readonly withdrawals: SaidOfWithdrawal[]
  readonly deeds: Deed[]
  readonly approvals: Approved[]
  readonly payouts: GivenFile[]
}

export interface HandParts {
  readonly deployment: Deployment
  readonly sandbox: Pick<Sandbox, 'control'>
  readonly time: VirtualTime
  readonly notes: Notes
}

export function createHands({ deployment, sandbox, time, notes }: HandParts): Hands {
  let started = 0
  /** People whom a restart interrupts repeat their act with the next process. */
  const inJournal = async (act: (store: RecordStore) => Promise<void>) => {
    const { aws } = deployment
    try {
      await withStore(aws, time, act)
    } catch (error) {
      await deployment.settled()
      if (deployment.aws === aws) throw error
      await withStore(deployment.aws, time, act)
    }
  }
  const throwSwitch = async (policy: string, halted: boolean) => {
    time.begin()
    try {
      const decision = {
        scope: policy,
        by: 'days',
        because: 'it is looked at',
        at: new Date(time.nowMs()).toISOString(),
      }
      await inJournal(async (store) => {
        const halts = createHalts(store, randomUUID)
        await (halted ? halts.halt(decision) : halts.resume(decision))
      })
      notes.deeds.push({ atMs: time.nowMs(), path: HALTS, body: { policy, halted } })
    } finally {
      time.end()
    }
  }
  const hands: Hands = {
    nowMs: () => time.nowMs(),
    control(path, body) {
      sandbox.control('POST', path, body)
      notes.deeds.push({ atMs: time.nowMs(), path, body: body as Deed['body'] })
    },
    clearRules: () => void sandbox.control('DELETE', '/rules'),
    price: (market, mid) => hands.control('/price', { market, mid: mid.toFixed(6) }),
    available: (asset) => availableOf(asset, sandbox),
    spend(asset, amount) {
      const left = hands.available(asset) - amount
      if (left >= 0) hands.control('/balance', { assetSymbol: asset, balance: left.toFixed(8) })
    },
    edit: (change, renamed) => deployment.edit(change, renamed),
    start(policy) {
      started += 1
      const own = deployment.files.at(-1)?.treasury.policies[policy]
      if (own === undefined) throw new Error(`no policy ${policy} is in force`)
      const stateMachine = machineOf(own)
      const input = JSON.stringify({ policy, trigger: { by: 'person' } })
      void deployment.aws.startExecution({ stateMachine, name: `${policy}-${started}`, input })
    },
    halt: (policy) => throwSwitch(policy, true),
    resume: (policy) => throwSwitch(policy, false),
    async approve(by = 'days') {
      time.begin()
      try {
        await inJournal((store) => approveAll(by, store, deployment.aws, time, notes))
      } finally {
        time.end()
      }
    },
    async resolveDoubts() {
      time.begin()
      try {
        const { movements } = sandbox.control('GET', '/oracle') as { readonly movements: readonly Found[] }
        await inJournal((store) => resolveAll(movements, store, deployment.aws, time.nowMs()))
      } finally {
        time.end()
      }
    },
    async checkAgain(policy) {
      time.begin()
      try {
        await checkAgain(policy, deployment.aws)
      } finally {
        time.end()
      }
    },
    requestWithdrawal(id, request) {
      const detail = JSON.stringify({ version: 1, id, request })
      const entry = { EventBusName: 'sluice', Source: 'payroll', DetailType: 'Withdrawal Requested', Detail: detail }
      void deployment.aws.putEvents([entry])
    },
    async decideWithdrawals(decision, by) {
      time.begin()
      try {
        await inJournal((store) => decideAll(decision, by, store, deployment, notes, time.nowMs()))
      } finally {
        time.end()
      }
    },
    async forge(run, change) {
      time.begin()
      try {
        await inJournal(async (store) => {
          const record = await store.read(recordKey.run(run))
          if (record === undefined) throw new Error(`there is no run ${run} to change`)
          const forged = { ...record, ...change(runOfRecord(record)), version: record.version + 1, stamp: 'forged' }
          await store.replace(forged, record.version)
        })
      } finally {
        time.end()
      }
    },
    async pay(policy, rows) {
      time.begin()
      try {
        const given = givenFile(policy, rows, `file ${notes.payouts.length + 1}`, time.nowMs())
        notes.payouts.push(given)
        await askToPay(given, deployment)
        return given.run
      } finally {
        time.end()
      }
    },
    async forgePage(rows, change) {
      time.begin()
      try {
        await inJournal((store) => writeOtherPage(rows, change, store))
      } finally {
        time.end()
      }
    },
  }
  return hands
}

async function approveAll(
  by: string,
  store: RecordStore,
  aws: EmbeddedAws,
  time: VirtualTime,
  notes: Notes,
): Promise<void> {
  const runs = createRuns(store, randomUUID)
  const decisions = createDecisionReader(store, decisionKey)
  const approveOne = async (name: string) => {
    const run = await runs.find(name)
    if (!run?.plan || !isUndecided(run)) return
    const atMs = time.nowMs()
    if (atMs >= Date.parse(run.approval?.expiresAt ?? '')) return
    const planHash = run.approval?.planHash ?? ''
    const request = { decision: 'approved', run: name, planHash, because: 'it is as it should be' }
    await decide({ atMs, by, run: name, policy: run.policy, legs: run.plan.legs }, notes.approvals, {
      ask: () => ask(aws, 'sluice-decide', by, request, atMs),
      waits: async () => {
        const now = await runs.find(name)
        return now === undefined || isUndecided(now)
      },
      findWords: () => decisions.find(name, planHash),
    })
  }
  const asked = [StateMachine.Rebalance, StateMachine.Sweep].flatMap((stateMachine) =>
    aws
      .listExecutions(stateMachine)
      .filter(({ name, status }) => status !== 'RUNNING' && !name.includes('_'))
      .map(({ name }) => approveOne(name)),
  )
  await Promise.all(asked)
}

async function decideAll(
  decision: 'approved' | 'rejected',
  by: string,
  store: RecordStore,
  { aws, files }: Deployment,
  notes: Notes,
  atMs: number,
): Promise<void> {
  const journal = createJournal(store, randomUUID)
  const decisions = createDecisionReader(store, decisionKey)
  const treasury = files.at(-1)?.treasury
  const findAsked = async (name: string) => {
    const intent = await journal.find(intentIdOf(name), IntentKind.Withdraw)
    return intent && treasury && findMovementToDecide(intent, treasury)
  }
  for (const { name } of aws.listExecutions(StateMachine.Withdraw, true)) {
    const asked = await findAsked(name)
    if (asked === undefined || asked.intent.params.run !== undefined || asked.intent.kind !== IntentKind.Withdraw)
      continue
    const { contactId, total } = asked.intent.frozen
    const { kind, intentId, termsHash } = asked
    const request = { decision, kind, intent: intentId, termsHash, because: 'it is as it should be' }
    await decide({ atMs, by, decision, assetSymbol: asked.assetSymbol, contactId, total }, notes.withdrawals, {
      ask: () => ask(aws, 'sluice-decide', by, request, atMs),
      waits: async () => (await findAsked(name)) !== undefined,
      findWords: () => decisions.findOfMovement(asked),
    })
  }
}

function isUndecided({ outcome, approval }: RunRecord): boolean {
  return outcome === RunEnd.AwaitingApproval && approval?.decision === undefined
}

function availableOf(asset: string, sandbox: Pick<Sandbox, 'control'>): number {
  const { ledger } = sandbox.control('GET', '/oracle') as { readonly ledger: readonly LedgerEntry[] }
  return ledger.reduce((sum, entry) => {
    if (entry.asset !== asset) return sum
    const amount = Number(entry.amount)
    return sum + (entry.to === 'available' ? amount : 0) - (entry.from === 'available' ? amount : 0)
  }, 0)
}
