// Plays whole runs: files of payments are given once or twice, corrected, and to two policies, or one policy sweeps or converts.
// The product's own steps plan, send and settle them. The judge knows the rows of the files and the service's books. Each row
// is paid at most once, and what a run says of its legs is what moved.
import { type ConvertRequest, convertRequest } from '../../../core/contract/convert.ts'
import { entryName, entryOf, intentIdOf } from '../../../core/contract/fields.ts'
import { ConvertEnd, WithdrawEnd } from '../../../core/contract/outcomes.ts'
import { foldId } from '../../../core/contract/payouts.ts'
import { policy as policySchema } from '../../../core/contract/policies.ts'
import { IntentKind } from '../../../core/contract/records.ts'
import { RunEnd, type StartLeg } from '../../../core/contract/runs.ts'
import { StateMachine } from '../../../core/contract/states.ts'
import { treasury as treasurySchema } from '../../../core/contract/treasury.ts'
import { type WithdrawRequest, withdrawRequest } from '../../../core/contract/withdraw.ts'
import { Refused } from '../../../core/errors.ts'
import { parseDecimal, truncate } from '../../../core/money/decimal.ts'
import type { Start } from '../../../core/triggers/starter.ts'
import { type Choices, seededChoices } from '../choices.ts'
import { LEGS } from '../deals.ts'
import { type DrawnGuards, noGuards, withDaily } from '../drawn-guards.ts'
import { judgeReservations } from '../end-invariants.ts'
import { Environments } from '../environments.ts'
import { OWN_ACCOUNT } from '../keys.ts'
import { NAIVE } from '../naive.ts'
import { settleDoubts } from '../persons-word.ts'
import type { Schedule } from '../schedule.ts'
import { DRIVER } from '../scheduler.ts'
import { type Bounded, drawSchedule, pickFrom } from '../schedules.ts'
import type { Stage } from '../stage.ts'
import { runConversion, runWithdrawal } from '../state-machines.ts'
import { createSteps, Stopped } from '../steps.ts'
import { throwSwitch } from '../switches.ts'
import type { Untidy } from '../untidiness.ts'
import { ASSET, type WithdrawnRow } from '../withdrawal-model.ts'
import { type Ended, pass, type Redeployment, setStage } from '../world.ts'
import { START_MS } from '../world-state.ts'
import { BreakerWatch } from './breaker-watch.ts'
import { Executions, judgeLeft, lookAgainEvery } from './looking-again.ts'
import { type Approving, drawApproving, type PeoplePorts, PlanPeople, WORTH } from './plan-people.ts'
import { judgeByAudit } from './run-audit.ts'
import { drawRunForgery, type RunForgery, RunInsider } from './run-insider.ts'
import { type RunReport, runMachine } from './run-machines.ts'
import { LaggingIndex, wireRunPorts } from './run-ports.ts'

type MovementRequest = ConvertRequest | WithdrawRequest

interface Row {
  readonly id: string
  readonly contactId: string
  readonly asset: string
  readonly amount: string
}

interface GivenFile {
  readonly runId: string
  readonly policy: string
  /** Absent for a run of a sweep. */
  readonly rows?: readonly Row[]
  /** Who asks for the run. */
  readonly asker: string
  /** When each of its executions starts, ms. */
  readonly startsMs: readonly number[]
}

export interface RunsSchedule extends Schedule {
  readonly guards: DrawnGuards
  /** Settled units that a policy leaves, where the policies of the world are sweeps. */
  readonly keeps?: string
  /** Whether its policies convert, and do not withdraw. */
  readonly isOrders?: boolean
  readonly files: readonly GivenFile[]
  readonly runForgery?: RunForgery
  /** Present where plans wait for people. */
  readonly approving?: Approving
  /** Whether LookAgain is called on its schedule. Otherwise somebody enters each run again. */
  readonly looksAgain: boolean
  /** When a policy gets another name, which the file of that deployment says. */
  readonly renamed?: Redeployment
}

const HOUR_MS = 3_600_000
const ZEROS: ReadonlySet<string> = new Set([WithdrawEnd.Exhausted, WithdrawEnd.Rejected, ConvertEnd.ExpiredOut])
/** States in which an intent may wait for a person once no fault happens any more. */
const WAITS_FOR_PERSON: ReadonlySet<unknown> = new Set(['ARMED', 'ESCALATED'])
/** The file that is given once no fault happens any more. */
const LAST = 'file-last'
const isLast = ({ runId }: GivenFile) => runId === LAST
const AMOUNTS = ['100', '40', '30']
/** Room for one file, and hardly for two. A file whose rows do not all fit is not begun. */
const POLICY_GUARDS = [
  ...[{}, {}, {}],
  { assets: { [ASSET.assetSymbol]: { daily: '210', largest: '110' } } },
  { contacts: { 'payee-1': { daily: '250' }, 'payee-2': { largest: '90' } } },
  { total: { daily: '420' }, allowedContacts: ['payee-1', 'payee-2', 'payee-3'] },
]
const POLICIES = ['salaries', 'wages']
/** Every sixth seed has one policy, which sweeps or converts what there is above an amount. */
const isDrain = (seed: number) => seed % 6 === 4
const isArrival = (seed: number) => seed % 12 === 10
/** One unit above what the policy keeps, because a quote of the model is for one unit. */
const ARRIVALS = { side: 'SELL', balance: '3' } as const
const KEPT = '2'
/** Runs in a row that may fail before the breaker halts their policy. With 100 it never does. */
const FAILURES = [100, 100, 100, 1, 2]
const NEW_NAME = 'payroll'
/** Every third seed has a tidy service, because few runs settle with an untidy one. */
const TIDY_EVERY = 3

/** Draws the service and the faults as for withdrawals, and the files. */
export function drawRuns(seed: number, bounded: Bounded, untidy: readonly Untidy[]): RunsSchedule {
  const pick = pickFrom(seed * 7919 + 4)
  const world = isArrival(seed) ? 'convert' : 'withdraw'
  const { seed: _, ...drawn } = drawSchedule(world, seed, bounded, seed % TIDY_EVERY === 0 ? [] : untidy)
  const {
    without,
    words: drawnWords = [],
    truth: moved,
    shared,
    feeMode,
    past,
    power,
    losesOutputs,
    steadyClock,
    denial,
    halt,
  } = drawn
  const { lostBeforeArmMs, armTakesMs, timing } = drawn
  // A run has many steps before its first send.
  const faults = drawn.faults * pick([1, 1, 4])
  const { timeJumps } = moved
  const {
    spells: _spells,
    misquotes: _misquotes,
    mistells: _mistells,
    sellsWithdrawn: _sells,
    ...orders
  } = moved.orders
  const truth = {
    ...moved,
    ...(isArrival(seed) && { orders: { ...orders, ...ARRIVALS } }),
    ...(timeJumps && { timeJumps: { ...timeJumps, at: timeJumps.at * pick([1, 2, 8]) } }),
  }
  const most = Math.min(pick([1, 2, 2, 3]), bounded.intents ?? 3)
  const rowsOf = () => AMOUNTS.slice(0, pick([1, 2, 3])).map((amount, at) => rowOf(at, amount))
  const first = rowsOf()
  /** A file that follows repeats the first one, or changes it. */
  const again = () =>
    pick([
      first,
      first,
      first.map((row) => ({ ...row, amount: '35' })),
      first.map((row) => ({ ...row, id: row.id.toUpperCase() })),
      AMOUNTS.map((amount, at) => rowOf(at, amount)),
    ])
  const files = Array.from({ length: 3 }, (_, at): GivenFile => {
    const drawnPolicy = pick([...POLICIES, 'salaries'])
    const policy = isDrain(seed) ? 'salaries' : drawnPolicy
    const startMs = at === 0 ? 0 : pick([0, 1_000, 30_000, 600_000, 2_400_000, 7_200_000])
    const againMs = pick([undefined, undefined, 20_000, 300_000, 1_800_000])
    const isTwice = againMs !== undefined && (bounded.executions ?? 2) > 1
    const rows = at === 0 ? first : again()
    return {
      ...{ runId: `file-${at + 1}`, policy, asker: pick(['ada', 'bob']) },
      ...(!isDrain(seed) && { rows }),
      startsMs: [startMs, ...(isTwice ? [startMs + againMs] : [])],
    }
  }).slice(0, most)
  const words = pick([drawnWords, [{ atMs: pick([200_000, 900_000]), knows: pick([false, true]) }]])
  const drawnApproving = drawApproving(pick)
  const approving = isArrival(seed) ? undefined : drawnApproving
  const runForgery = drawRunForgery(pick)
  const every = {
    guards: isArrival(seed) ? {} : pick(POLICY_GUARDS),
    breaker: { failures: FAILURES[seed % FAILURES.length] },
    ...(approving && { approval: approving.rule }),
  }
  const sweptTo = String(Math.max(0, Number(truth.withdrawals.balance) - (seed % 12 === 4 ? 100 : 200)))
  const keeps = isArrival(seed) ? KEPT : sweptTo
  const keep = { target: keeps }
  const kinds = {
    sweep: { kind: 'sweep', rules: [{ assets: [ASSET.assetSymbol], keep, contactId: 'payee-1', feeMode }] },
    arrival: {
      ...{ kind: 'convert-on-arrival', asset: LEGS.baseAsset, into: LEGS.quoteAsset, keep },
      valuationAsset: LEGS.quoteAsset,
    },
    payouts: { kind: 'payouts', assets: [ASSET.assetSymbol], feeMode },
  }
  const kind = isArrival(seed) ? 'arrival' : isDrain(seed) ? 'sweep' : 'payouts'
  const policy = policySchema.parse({ ...every, ...kinds[kind] })
  const everywhere = pick([
    {},
    {},
    { dailyOutflow: { [ASSET.assetSymbol]: '250' } },
    { dailyOutflow: { [ASSET.assetSymbol]: '1000' } },
  ])
  const guards: DrawnGuards = {
    ...noGuards(everywhere),
    policies: Object.fromEntries(POLICIES.map((name) => [name, policy])),
    areLegs: true,
    worths: { [ASSET.assetSymbol]: { num: WORTH, den: 1n } },
    prices: { [`${ASSET.assetSymbol}-USD SELL`]: String(WORTH), [`${ASSET.assetSymbol}-USD BUY`]: String(WORTH) },
  }
  const afterMs = pick([undefined, undefined, undefined, 1_000, 60_000, 900_000])
  const reboundsMs = pick([undefined, undefined, 1_000, 60_000, 900_000])
  const rebounds = afterMs === undefined &&
    reboundsMs !== undefined && { afterMs: reboundsMs, factor: pick([0.5, 0.9, 2]) }
  const { salaries: _old, ...others } = guards.policies
  const renaming = { ...guards, policies: { ...others, [NEW_NAME]: { ...policy, was: 'salaries' } } }
  return {
    ...{
      seed,
      faults,
      without,
      truth,
      shared,
      feeMode,
      past,
      guards,
      files,
      looksAgain: pick([false, true]),
      entries: [],
      kinds: isArrival(seed) ? [] : [IntentKind.Withdraw],
    },
    ...(afterMs && { renamed: { afterMs, guards: renaming } }),
    ...(words.length > 0 && { words }),
    ...(approving && { approving }),
    ...(isArrival(seed) && { isOrders: true }),
    ...(isDrain(seed) ? { keeps } : runForgery && { runForgery }),
    ...(rebounds && { rebounds }),
    ...(power && { power }),
    ...(losesOutputs && { losesOutputs }),
    ...(steadyClock && { steadyClock }),
    ...(denial && { denial }),
    ...(halt && { halt }),
    ...(lostBeforeArmMs && { lostBeforeArmMs }),
    ...(armTakesMs && { armTakesMs }),
    ...(timing && { timing }),
    stepLimit: 400_000,
  }
}

function rowOf(at: number, amount: string): Row {
  return { id: `row-${at + 1}`, contactId: `payee-${at + 1}`, asset: ASSET.assetSymbol, amount }
}

interface EndedRun {
  readonly file: GivenFile
  readonly report: RunReport
}

/** Plays the files, then gives the last one again without faults, and returns the broken invariants. */
export async function playRuns(
  schedule: RunsSchedule,
  choices: Choices = seededChoices(schedule.seed, schedule.faults, schedule.without),
): Promise<Ended> {
  const asked = new Map<string, MovementRequest[]>()
  const begunBy = (intentId: string) =>
    (stage.witness.intents.get(intentId)?.record.params as { readonly run?: string } | undefined)?.run
  /** Takes the request of the run that has begun the row. */
  const askedOf = (intentId: string): MovementRequest => {
    const run = begunBy(intentId)
    const requests = asked.get(intentId) ?? []
    return (requests.find((request) => request.run === run) ?? requests[0]) as MovementRequest
  }
  const stage: Stage = setStage(schedule, choices, askedOf, schedule.renamed)
  const { scheduler, witness, journal, service, situations } = stage
  const { violations, certaintyMs } = witness
  // An earlier movement has bound the journal to its account, as a plan does not.
  journal.addEarlier({ pk: 'A#account', version: 1, format: 1, stamp: 'pinned', account: OWN_ACCOUNT, stage: 'test' })
  const treasury = treasurySchema.parse({
    service: { url: 'https://api.example.com', stage: 'test' },
    timing: schedule.timing ?? {},
  })
  const withGuards = ({ everywhere: guards, policies }: DrawnGuards) => ({ ...treasury, guards, policies })
  let deployed = withGuards(schedule.guards)
  const index = new LaggingIndex()
  const insider = new RunInsider(journal.records, schedule.runForgery)
  const lastNameOf = (policy: string) => (schedule.renamed && policy === 'salaries' ? NEW_NAME : policy)
  const breakers = new BreakerWatch(stage, schedule.guards.policies.wages?.breaker.failures ?? 0, lastNameOf)
  journal.onWrite = (record) => {
    index.note(record, scheduler.nowMs)
    breakers.note(record)
    insider.afterWrite(record)
  }
  const naive = schedule.naive === undefined ? undefined : NAIVE[schedule.naive]
  const environments = new Environments(scheduler, (machine, newId) => {
    const ports = wireRunPorts(machine, newId, { journal, index, service, treasury: deployed })
    return { ...ports, ...naive?.runPorts?.(ports, machine) } as PeoplePorts
  })
  const { onPowerCut } = scheduler
  if (onPowerCut)
    scheduler.onPowerCut = () => {
      environments.dropAll()
      onPowerCut()
    }
  const { renamed } = schedule
  const redeploy = (afterMs: number, guards: DrawnGuards) => {
    const deploy = () => {
      deployed = withGuards(guards)
      environments.dropAll()
    }
    scheduler.later(afterMs, deploy, { text: () => 'a deployment of another file' })
  }
  if (renamed) redeploy(renamed.afterMs, renamed.guards)
  if (schedule.rebounds) redeploy(schedule.rebounds.afterMs, withDaily(schedule.guards, schedule.rebounds.factor))
  /** Whoever asks for a run knows the present name of its policy, and repeats the request as it was. */
  const requests = new Map<string, object>()
  const requestOf = ({ runId, policy, rows }: GivenFile): object => {
    const known = requests.get(runId) ?? {
      policy: policy in deployed.policies ? policy : NEW_NAME,
      ...(rows && { rows }),
    }
    requests.set(runId, known)
    return known
  }
  /** A run that is asked for by a name that its policy has left, and of which nothing is recorded. */
  const isOfOldName = (error: unknown) => error instanceof Refused && renamed !== undefined
  const runEnds: EndedRun[] = []
  const people = new PlanPeople(stage, environments, schedule.approving, (runId) => {
    const file = schedule.files.find((given) => given.runId === runId)
    if (file) void play(file, 0)
  })
  const executions = new Executions(() => scheduler.nowMs)
  const machine = schedule.isOrders === true ? StateMachine.Rebalance : StateMachine.Sweep
  /** `entered`: the number of an entry that LookAgain has started. */
  const play = async (file: GivenFile, delayMs: number, entered?: number): Promise<void> => {
    let execution = file.runId
    try {
      await scheduler.park(DRIVER, delayMs, { text: () => execution })
      const input = requestOf(file)
      let entry = entered ?? 1
      const start = () => ({ stateMachine: machine, name: entryName(file.runId, entry), input })
      while (entered === undefined && !executions.begin(start())) entry += 1
      execution = start().name
      const isAsked = await people.ask(file.runId, file.asker, requestOf(file))
      if (!isAsked && entry === 1) return executions.end(execution, RunEnd.Failed)
      const steps = createSteps(
        scheduler,
        { name: execution, intentId: file.runId },
        { ...stage, environments, explains: (error) => isOfOldName(error) || insider.explains(error, file.runId) },
        schedule.losesOutputs,
      )
      const nowText = () => new Date(scheduler.nowMs).toISOString()
      const begun = { execution, startedAt: nowText(), request: requestOf(file) }
      const report = await runMachine(machine, steps, begun, {
        startLegs: (legs) => sendLegs(insider.legsOf(file.runId, legs, entry), file.runId),
        nowText,
      })
      runEnds.push({ file, report })
      executions.end(execution, report.outcome)
    } catch (error) {
      executions.end(execution, undefined)
      if (!(error instanceof Stopped)) violations.push(`${execution} broke: ${error}`)
    }
  }
  /** Two runs may begin one row at once, and an increment may be coarser than its amount: such a leg is refused. */
  const explains = (error: unknown, intentId: string) => {
    const runs = asked.get(intentId)?.map(({ run }) => run) ?? []
    const isOfTwo = new Set([...runs, begunBy(intentId) ?? runs[0]]).size > 1
    const isCut = schedule.truth.withdrawals.coarser !== undefined && String(error).includes('in its increment of')
    const isForged = asked.get(intentId)?.some(({ run }) => insider.explains(error, run)) === true
    return isForged || (error instanceof Refused && (isOfTwo || isCut))
  }
  const sendLegs = async (legs: readonly StartLeg[], runId: string) => {
    await Promise.all(legs.map((leg) => sendLeg(leg, runId)))
  }
  const sendLeg = async ({ name, request }: StartLeg, runId: string): Promise<void> => {
    const intentId = intentIdOf(name)
    const whole =
      'baseAsset' in request
        ? { ...convertRequest.parse(request), run: runId }
        : { ...withdrawRequest.parse(request), run: runId }
    asked.set(intentId, [...(asked.get(intentId) ?? []), whole])
    const stateMachine = 'baseAsset' in whole ? StateMachine.Convert : StateMachine.Withdraw
    if (!executions.begin({ stateMachine, name, input: whole })) return
    try {
      const steps = createSteps(scheduler, { name, intentId }, { ...stage, explains }, schedule.losesOutputs)
      const startedAt = new Date(scheduler.nowMs).toISOString()
      const report =
        'baseAsset' in whole
          ? await runConversion(steps, { execution: name, startedAt, request: whole }, (quoted) =>
              pass(quoted, schedule, stage),
            )
          : await runWithdrawal(steps, { execution: name, startedAt, request: whole }, () => undefined)
      executions.end(name, report.outcome)
    } catch (error) {
      executions.end(name, error instanceof Stopped ? undefined : WithdrawEnd.NeedsAttention)
      // A leg that broke does not stop its run.
      if (!(error instanceof Stopped || explains(error, intentId))) violations.push(`${name} broke: ${error}`)
    }
  }
  for (const file of schedule.files) for (const startMs of file.startsMs) void play(file, startMs)
  const looking = {
    ...{ stage, executions, environments },
    start: ({ stateMachine, name, input }: Start) => {
      const { run = '' } = input as Partial<MovementRequest>
      if (stateMachine !== machine) return void sendLeg({ name, request: input as MovementRequest }, run)
      const file = schedule.files.find(({ runId }) => runId === intentIdOf(name))
      if (file && executions.begin({ stateMachine, name, input })) void play(file, 0, entryOf(name))
    },
  }
  if (schedule.looksAgain) lookAgainEvery(looking, HOUR_MS)
  if (schedule.halt) throwSwitch(stage, schedule.halt)
  settleDoubts(stage, schedule.words ?? [], (error) => violations.push(`a person's word broke: ${error}`))
  await scheduler.run()
  choices.calmDown()
  service.calmDown()
  journal.denied = undefined
  insider.isGone = true
  if (service.truth.strayKey) {
    stage.environments.dropAll()
    environments.dropAll()
  }
  people.lookAgain()
  breakers.release()
  await scheduler.run()
  if (schedule.looksAgain) {
    lookAgainEvery(looking, 24 * HOUR_MS)
    await scheduler.run()
    violations.push(...(await judgeLeft(stage, executions, schedule, machine)))
  }
  for (const file of schedule.files) void play(file, 0)
  await scheduler.run()
  const [last] = schedule.files.slice(-1)
  if (last) void play({ ...last, runId: LAST }, 0)
  await scheduler.run()
  const auditor = environments.take('Reconcile')
  const isShared = schedule.shared !== false
  violations.push(...(await whenDone(scheduler, judgeByAudit({ stage, treasury: deployed, isShared, ...auditor }))))
  violations.push(...people.judge(lastNameOf))
  violations.push(
    ...judgeRuns(schedule, stage, runEnds),
    ...judgeReservations(stage),
    ...breakers.judge(schedule.faults > 0),
  )
  const virtualMs = scheduler.nowMs - START_MS
  const ends = runEnds.map(({ report }) => report) as unknown as Ended['ends']
  return { ends, lastEnds: [], violations, certaintyMs, virtualMs, isCut: false, situations }
}

function judgeRuns(schedule: RunsSchedule, { service, witness }: Stage, ends: readonly EndedRun[]): string[] {
  const { movements, truth } = service.withdrawals
  const own = movements.filter(({ nonce }) => nonce !== undefined)
  const found = schedule.keeps === undefined ? judgeRows(schedule, own, service) : judgeSweeps(schedule.keeps, witness)
  const isQuiet = [...witness.intents.values()].every(({ record }) => !WAITS_FOR_PERSON.has(record.state))
  for (const { file, report } of ends) {
    for (const { key, intentId, outcome } of report.legs ?? []) {
      const moved = witness.intents.get(intentId)?.movements ?? []
      const says = `run ${file.runId} says ${outcome} of ${key}`
      if (outcome === ConvertEnd.Filled && moved.length !== 1) found.push(`${says}, and ${moved.length} moved`)
      if (outcome === WithdrawEnd.Completed && (moved.length !== 1 || truth.endsAs !== 'COMPLETED'))
        found.push(`${says}, and ${moved.length} moved`)
      // Another run reports the rows that it has begun.
      const isOwn = (witness.intents.get(intentId)?.record.params as Partial<WithdrawRequest>)?.run === file.runId
      if (ZEROS.has(outcome) && isOwn && moved.length > 0) found.push(`${says}, and it moved`)
    }
    // A run leaves rows that another one has under way. Once nothing is, it has paid its rows, or they were paid.
    const isWhole =
      isLast(file) && isQuiet && (report.outcome === RunEnd.Settled || report.outcome === RunEnd.NothingToDo)
    const unpaid = (file.rows ?? []).filter((row) => !own.some(({ contactId }) => contactId === row.contactId))
    if (isWhole && unpaid.length > 0)
      found.push(
        `run ${file.runId} is ${report.outcome}, and ${unpaid.map(({ id }) => foldId(id)).join(', ')} never moved`,
      )
  }
  // After all faults a run may need a person, or wait for one, but it ends, and never by a fault.
  const last = ends.at(-1)?.report
  if (last === undefined || last.outcome === RunEnd.Failed || last.outcome === RunEnd.OwnFault)
    found.push(`the last run has no end without faults: ${last?.outcome}, ${last?.why}`)
  return found
}

/** Each row moves once, with an amount of a row. */
function judgeRows(
  { files, feeMode }: RunsSchedule,
  own: readonly WithdrawnRow[],
  service: Stage['service'],
): string[] {
  const rows = files.flatMap((file) => file.rows ?? [])
  const found: string[] = []
  for (const contactId of new Set(own.map((movement) => movement.contactId))) {
    const paid = own.filter((movement) => movement.contactId === contactId)
    const early = paid.find(({ atMs }, at) =>
      paid.slice(0, at).some((before) => atMs < service.withdrawals.backMs(before)),
    )
    if (early) found.push(`the row of ${contactId} moves again before it is certain that nothing left`)
    const amounts = rows
      .filter((row) => row.contactId === contactId)
      .map(({ amount }) => parseDecimal(amount, 'amount'))
    const isAsked = paid.every(({ amount, total, cutFrom, roundedTo }) => {
      const moved = parseDecimal(cutFrom ?? (feeMode === 'add' ? amount : total), 'amount')
      // While the asset has a coarser increment, the terms of a row are settled in it.
      const rounded = amounts.map((asked) =>
        roundedTo ? truncate(asked, parseDecimal(roundedTo, 'increment')) : asked,
      )
      return [...amounts, ...rounded].includes(moved)
    })
    if (!isAsked) found.push(`a movement to ${contactId} of an amount that no row has`)
  }
  return found
}

/** Each run moves once, and leaves what the policy keeps. */
function judgeSweeps(keeps: string, { intents }: Stage['witness']): string[] {
  const found: string[] = []
  const byRun = new Map<string, number>()
  for (const { record, movements } of intents.values()) {
    const { run = '' } = record.params as { readonly run?: string }
    for (const { left } of movements) {
      byRun.set(run, (byRun.get(run) ?? 0) + 1)
      if (left !== undefined && left < Number(keeps)) found.push(`run ${run} leaves ${left} of the ${keeps} to keep`)
    }
  }
  return [...found, ...[...byRun].flatMap(([run, count]) => (count > 1 ? [`run ${run} moves ${count} times`] : []))]
}

/** Runs what a promise waits for. */
async function whenDone<Done>(scheduler: Stage['scheduler'], promise: Promise<Done>): Promise<Done> {
  await scheduler.run()
  return promise
}
