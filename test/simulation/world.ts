// Runs one simulated world: one journal and one account, with conversions and withdrawals side by side. Executions
// enter their intents as a schedule says. Then all faults end, each intent is entered once more, and the broken
// invariants are collected.
import type { ConvertRequest, QuoteAnswer } from '../../core/contract/convert.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { type Timing, timing as timingSchema } from '../../core/contract/timing.ts'
import type { WithdrawRequest } from '../../core/contract/withdraw.ts'
import { People, withAsking } from './approving.ts'
import { type Choices, seededChoices } from './choices.ts'
import { LEGS, LEGS_OF_WITHDRAWN, SPELLINGS } from './deals.ts'
import { type DrawnGuards, namesOf, noGuards, withDaily } from './drawn-guards.ts'
import { findEndViolations } from './end-invariants.ts'
import { Environments } from './environments.ts'
import { deadMs, fenceMs } from './fences.ts'
import { CONVERTED, giving, WITHDRAWN } from './given-up.ts'
import { createGuardJudge } from './guard-judge.ts'
import { Insider } from './insider.ts'
import { JournalModel } from './journal-model.ts'
import { accountOfKid, OTHER_ACCOUNT } from './keys.ts'
import { isKnownRow } from './lacking-lists.ts'
import type { Machine } from './machine.ts'
import { NAIVE } from './naive.ts'
import { planNextRuns } from './next-run.ts'
import { addPast } from './past.ts'
import { settleDoubts } from './persons-word.ts'
import { wirePorts } from './ports.ts'
import { Sayings } from './sayings.ts'
import { intentsOf, kindOf, numberOf, type Schedule } from './schedule.ts'
import { DRIVER, Scheduler } from './scheduler.ts'
import { ServiceModel } from './service-model.ts'
import type { Situation, Stage } from './stage.ts'
import { type Report, runConversion, runWithdrawal } from './state-machines.ts'
import { createSteps, Stopped } from './steps.ts'
import { throwPolicySwitch, throwSwitch } from './switches.ts'
import { textOf } from './trace.ts'
import { ASSET, CONTACT } from './withdrawal-model.ts'
import { Witness } from './witness.ts'
import type { Sending } from './witnessed.ts'
import { START_MS, stateText } from './world-state.ts'

export interface Ended {
  readonly ends: readonly Report[]
  /** Ends of the entries after all faults, one for each intent that ended. */
  readonly lastEnds: readonly Report[]
  readonly violations: string[]
  readonly certaintyMs: readonly number[]
  readonly virtualMs: number
  /** Whether the schedule was left because its future was known. */
  readonly isCut: boolean
  /** Every fault that happened, with the state of each intent. */
  readonly situations: Situation[]
}

export interface World extends Ended, Stage {}

/** Virtual time within which every intent ends after faults have stopped. */
const BOUNDED_MS = 4 * 3_600_000
/** The same with a payout to a bank, which is followed for days before it is STUCK. */
const BANK_BOUNDED_MS = 14 * 86_400_000
const USUAL_MS = 1_800_000
/** Used where a schedule draws no guards: room for two of the withdrawals. A third waits for nobody, and is refused. */
const USUAL_GUARDS = noGuards({ dailyOutflow: { [ASSET.assetSymbol]: '250' } })
/** Room for many withdrawals of different amounts. */
const ROOMY_GUARDS = noGuards({ dailyOutflow: { [ASSET.assetSymbol]: '1000000' } })
const NO_GUARDS = noGuards({})
/** The first amount equals ours under one fee mode, the second under the other. The rest differ from ours. */
const FOREIGN_AMOUNTS = ['99', '100', '7', '7']
const DEFAULT_TIMING = timingSchema.parse({})
/** Enough for a service that has become faster, and too short for earlier sends. */
const HASTY: Partial<Timing> = { visibilitySeconds: 1, orderVisibilitySeconds: 1 }

/** A later deployment of the functions, with other guards and policies. */
export interface Redeployment {
  readonly afterMs: number
  readonly guards: DrawnGuards
}

/** `asked`: the request of each intent, as its executions got it. */
export function setStage(
  schedule: Schedule,
  choices: Choices,
  asked = (intentId: string) => requestOf(schedule, intentId),
  redeployment?: Redeployment,
): Stage {
  const { truth, shared, power, denial, rebounds } = schedule
  const { contactChangesMs } = truth.withdrawals
  const guards = guardsOf(schedule)
  const judged = redeployment
    ? { ...guards, policies: { ...guards.policies, ...redeployment.guards.policies } }
    : guards
  const rebounded = rebounds && withDaily(guards, rebounds.factor)
  // May exceed the bounds of treasury.json, to show why those exist.
  const timing = { ...DEFAULT_TIMING, ...schedule.timing }
  const scheduler = new Scheduler(choices, START_MS)
  scheduler.steadyClock = schedule.steadyClock
  if (schedule.stepLimit !== undefined) scheduler.stepLimit = schedule.stepLimit
  const witness = new Witness({
    nowMs: () => scheduler.nowMs,
    serviceMs: () => scheduler.nowMs - truth.skewMs,
    // Uses the configuration at the ARM. A later deployment's waits do not apply to this attempt.
    fenceMs: (kind, attempt, sending) =>
      fenceMs(kind, attempt, isRetimed(truth, sending) ? { ...timing, ...HASTY } : timing, sending?.listening),
    deadMs: (attempt) => deadMs(attempt, timing),
    attempts: timing.attempts,
    guards: createGuardJudge(rebounded && rebounds.factor > 1 ? rebounded : judged, giving),
    tellsAccounts: { withdraw: true, convert: truth.mayReadAccount === 'all' },
    isOneAsset: truth.orders.sellsWithdrawn === true,
    records: () => journal.records,
    asked,
    ...(contactChangesMs !== undefined && { contactChangedMs: START_MS + contactChangesMs }),
  })
  const journal: JournalModel = new JournalModel(witness, scheduler)
  const situations: Situation[] = []
  choices.listen((fault) => {
    const states = [...witness.intents.values()].map(({ record }) => String(record.state))
    situations.push({ fault, states: states.length > 0 ? states : ['none'] })
  })
  const service = new ServiceModel(scheduler, witness, truth, guards.prices)
  service.withdrawals.isKnown = (id) => isKnownRow(id, journal.records)
  addPast(schedule, service, journal)
  const names = guards.remembered ?? []
  if (names.length > 0) journal.addEarlier({ pk: 'A#names', version: 1, format: 1, stamp: 'names', names })
  for (const [at, foreignMs] of truth.withdrawals.foreignRowsMs.entries())
    scheduler.later(foreignMs, () => service.withdrawals.addForeign(FOREIGN_AMOUNTS[at] ?? '7'), {
      text: () => `row ${at} of others`,
    })
  const { strayKey } = truth
  if (strayKey?.isBusy) service.withdrawals.addForeign('99', undefined, OTHER_ACCOUNT)
  let configured = { guards, timing }
  const naive = schedule.naive === undefined ? undefined : NAIVE[schedule.naive]
  const environments = new Environments(scheduler, (machine, newId) => {
    const reachedFrom = (from: Machine) => naive?.store?.(journal.reachedFrom(from), from) ?? journal.reachedFrom(from)
    const surroundings = { journal: { reachedFrom }, service, shared, ...configured }
    const ports = wirePorts(machine, newId, naive?.deployed?.(surroundings) ?? surroundings)
    return naive?.ports?.(ports, machine) ?? ports
  })
  const deployLater = (afterMs: number, change: Partial<typeof configured>, text: string) => {
    const deploy = () => {
      configured = { ...configured, ...change }
      environments.dropAll()
    }
    scheduler.later(afterMs, deploy, { text: () => text })
  }
  if (truth.fasterAfterMs !== undefined)
    deployLater(truth.fasterAfterMs, { timing: { ...timing, ...HASTY } }, 'a deployment with shorter waits')
  if (redeployment) deployLater(redeployment.afterMs, redeployment, 'a deployment of another file')
  if (rebounds && rebounded) {
    deployLater(rebounds.afterMs, { guards: rebounded }, 'a deployment with other bounds')
    journal.findOverdrawnArm = (armed, machine) => witness.guards.findOverdrawn(armed, machine, journal.records)
  }
  if (denial) {
    const fromMs = START_MS + denial.fromMs
    const isNow = () => scheduler.nowMs >= fromMs && scheduler.nowMs < fromMs + denial.forMs
    journal.denied = ({ verb }) => (verb === denial.verb && isNow() ? denial.what : undefined)
  }
  journal.armTakesMs = schedule.armTakesMs ?? 0
  journal.lostBeforeArmMs = schedule.lostBeforeArmMs ?? 0
  journal.namesOf = (policy) => namesOf(policy, guards)
  if (power) {
    journal.isLogged = power.losesUnsynced
    scheduler.onPowerCut = () => {
      environments.dropAll()
      journal.loseUnwritten()
    }
  }
  const insider = new Insider(journal.records, schedule.forgery)
  journal.onWrite = (record) => insider.afterWrite(record)
  return { scheduler, journal, witness, service, environments, insider, situations }
}

/** Whether an attempt was armed after the deployment. */
function isRetimed({ fasterAfterMs }: Schedule['truth'], sending: Sending | undefined): boolean {
  return fasterAfterMs !== undefined && sending !== undefined && sending.armedMs >= START_MS + fasterAfterMs
}

function guardsOf({ guards, kinds, asking, asks, truth }: Schedule): DrawnGuards {
  if (guards && asking) {
    const given = kinds.includes(IntentKind.Withdraw) ? WITHDRAWN : CONVERTED[truth.orders.side]
    return withAsking(guards, asking, given)
  }
  const usual = asks === undefined ? USUAL_GUARDS : ROOMY_GUARDS
  return guards ?? (kinds.includes(IntentKind.Withdraw) ? usual : NO_GUARDS)
}

/** Runs one schedule to its end, enters every intent once more after all faults, and returns the broken invariants. */
export async function runSchedule(
  schedule: Schedule,
  choices = seededChoices(schedule.seed, schedule.faults, schedule.without),
): Promise<World> {
  const stage = setStage(schedule, choices)
  const { scheduler, witness, service, environments, situations } = stage
  const { violations, certaintyMs } = witness
  const known = { violations, certaintyMs, situations }
  const ends: Report[] = []
  const sayings = new Sayings(stage)
  const enter = async (intentId: string, name: string, delayMs: number): Promise<void> => {
    try {
      await scheduler.park(DRIVER, delayMs, { text: () => `${name} starts` })
      const report = await execute(schedule, stage, sayings, intentId, name)
      sayings.judgeEnd(report)
      ends.push(report)
    } catch (error) {
      // Conclude also refuses what somebody else has written. The execution then fails with the reason.
      const isOver = error instanceof Stopped || stage.insider.explains(error, intentId)
      if (!isOver) violations.push(`${name} broke: ${error}`)
    }
  }
  for (const [at, { intentId, delayMs }] of schedule.entries.entries()) {
    void enter(intentId, `${intentId}/${at + 1}`, delayMs)
  }
  if (schedule.halt) throwSwitch(stage, schedule.halt)
  const halted = guardsOf(schedule).ofIntents.find((policy) => policy !== undefined)
  if (halted !== undefined && schedule.policyHalt) {
    const [old = halted] = namesOf(halted, guardsOf(schedule))
    throwPolicySwitch(stage, schedule.policyHalt.isByOldName ? old : halted, schedule.policyHalt)
  }
  if (schedule.guards && schedule.asking) {
    const people = new People(guardsOf(schedule))
    people.scheduleDecisions(schedule.asking, stage.journal, scheduler)
    stage.journal.findUnapprovedArm = (armed) => people.findUnapprovedArm(armed)
    sayings.isUnapproved = (ready) => people.isUnapproved(ready)
    sayings.isApproved = (ready) => people.isApproved(ready)
  }
  settleDoubts(stage, schedule.words ?? [], (error) => violations.push(`a person's word broke: ${error}`))
  const nextRuns = planNextRuns(
    stage,
    schedule,
    (intentId) => requestOf(schedule, intentId),
    (error) => violations.push(`the next run broke: ${error}`),
  )
  const reportState = createStateReporter(stage, ends)
  if (reportState) scheduler.watch(reportState)
  await scheduler.run()
  if (!scheduler.isCut) reportState?.()
  scheduler.watch(() => undefined)
  if (scheduler.isCut)
    return { ...stage, ...known, ends, lastEnds: [], virtualMs: scheduler.nowMs - START_MS, isCut: true }

  choices.calmDown()
  service.calmDown()
  stage.journal.denied = undefined
  // A function with the key of another account gets a new environment with the right key.
  if (service.truth.strayKey) environments.dropAll()
  const before = ends.length
  const calmMs = scheduler.nowMs
  for (const intentId of intentsOf(schedule)) void enter(intentId, `${intentId}/last`, 0)
  await scheduler.run()
  const boundedMs = schedule.truth.withdrawals.isToBank ? BANK_BOUNDED_MS : BOUNDED_MS
  if (scheduler.nowMs - calmMs > boundedMs) violations.push('no end within bounded time once faults had stopped')
  witness.judgeEnd()
  const lastEnds = ends.slice(before)
  violations.push(...findEndViolations(stage, schedule, ends, lastEnds), ...nextRuns.flatMap((run) => run.judge()))
  return { ...stage, ...known, ends, lastEnds, virtualMs: scheduler.nowMs - START_MS, isCut: false }
}

function execute(schedule: Schedule, stage: Stage, sayings: Sayings, intentId: string, name: string): Promise<Report> {
  const { scheduler } = stage
  const startedAt = new Date(scheduler.nowMs).toISOString()
  const steps = createSteps(scheduler, { name, intentId }, stage, schedule.losesOutputs)
  const request = requestOf(schedule, intentId)
  if ('baseAsset' in request)
    return runConversion(steps, { execution: intentId, startedAt, request }, (quoted) => pass(quoted, schedule, stage))
  return runWithdrawal(steps, { execution: intentId, startedAt, request }, (report) => sayings.noteStep(name, report))
}

/** The request of each execution of an intent. */
function requestOf(schedule: Schedule, intentId: string): ConvertRequest | WithdrawRequest {
  const { truth, feeMode, hurryMs, planned, asks } = schedule
  const notAfter = (ms: number | undefined) => ms !== undefined && { notAfter: new Date(START_MS + ms).toISOString() }
  const policy = guardsOf(schedule).ofIntents[numberOf(intentId) - 1]
  const onBehalf = policy && { policy }
  if (kindOf(schedule, intentId) === IntentKind.Convert) {
    const { spells, side, sellsWithdrawn } = truth.orders
    const plain = sellsWithdrawn ? LEGS_OF_WITHDRAWN.baseAsset : LEGS.baseAsset
    const baseAsset = spells ? SPELLINGS[spells].baseAsset : plain
    const legs = { ...LEGS, baseAsset, amountAsset: baseAsset, amount: '1' }
    return { ...legs, side, ...planned?.convert, ...notAfter(hurryMs), ...onBehalf }
  }
  return {
    ...{ assetSymbol: ASSET.assetSymbol, amount: '100', feeMode, contactId: CONTACT.id },
    ...asks?.[numberOf(intentId) - 1],
    ...planned?.withdraw,
    ...notAfter(hurryMs ?? USUAL_MS),
    ...onBehalf,
  }
}

/**
 * Passes a quote from Quote to Order. Quote passes only what was asked for. An insider who may change the state of an
 * execution replaces it by another quote of the account.
 */
export function pass(
  quoted: QuoteAnswer,
  { swapsQuotes }: Schedule,
  { service: { orders }, witness }: Stage,
): QuoteAnswer {
  const { intentId, quote } = quoted
  if (quote === undefined) return quoted
  witness.noteHandedOn(intentId, orders.dealOf(quote.orderId))
  if (swapsQuotes === undefined) return quoted
  const account = accountOfKid(quote.kid ?? '')
  const swapped = { ...quote, ...orders.addQuote(account, swapsQuotes) }
  witness.noteQuote(swapped.orderId, intentId, account)
  return { ...quoted, quote: swapped }
}

/** Reports every state to the chooser until faults stop, because nothing is chosen afterwards. */
function createStateReporter(
  { scheduler, environments, journal, service, witness }: Stage,
  ends: readonly Report[],
): (() => void) | undefined {
  const { choices } = scheduler
  const state = () => {
    const { shared, own } = scheduler.describe()
    const all = [shared, environments.text(), journal.text(), service.text(), textOf(ends)].join('\n\n')
    const present = { nowMs: scheduler.nowMs, longAgoMs: service.longAgoMs }
    const details = [...service.details(), ...witness.details()]
    return () => stateText(present, { shared: all, own }, details)
  }
  const cut = () => scheduler.cut()
  const { arrive } = choices
  return (
    arrive && (() => arrive({ nowMs: scheduler.nowMs, next: scheduler.next, parked: scheduler.parked, state, cut }))
  )
}
