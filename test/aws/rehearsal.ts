// Simulates an account for tests. It answers each command as AWS and the service should, or as the test orders, and
// remembers only what the steps read.
import type { Command, Finished, World } from './commands.ts'
import { commandText } from './commands.ts'
import { CHANGED_GUARD, type Setup } from './setup.ts'

/**
 * A replacement of the answer to the first command whose text contains `part`. It applies once, unless it is permanent.
 */
export interface InjectedAnswer {
  readonly part: string
  readonly answer: Partial<Finished> | ((account: Account) => Partial<Finished> | undefined)
  readonly isForEver?: true
  /** Whether the command takes effect all the same. */
  readonly isDone?: true
}

export interface Account {
  deployed: string | undefined
  version: number
  hasTable: boolean
  isProtected: boolean
  isHalted: boolean
  readonly secrets: Set<string>
  /** Orders by the ids of conversions. */
  readonly orders: Map<string, string>
  heldVersion: number | undefined
  held: string | undefined
}

export interface Rehearsal extends World {
  readonly account: Account
  /** The commands, as text. */
  readonly asked: string[]
  readonly told: string[]
}

export interface RehearsalOptions {
  /** Absent: an empty account. */
  readonly account?: Account
  readonly faults?: readonly InjectedAnswer[]
  readonly tell?: (line: string) => void
}

function newAccount(): Account {
  return {
    ...{ deployed: undefined, version: 0, hasTable: false, isProtected: true, isHalted: false },
    ...{ secrets: new Set(), orders: new Map(), heldVersion: undefined, held: undefined },
  }
}

const NOT_THERE: Partial<Finished> = { exitCode: 254, stderr: 'An error occurred (ResourceNotFoundException)' }
const json = (answer: unknown): Partial<Finished> => ({ stdout: JSON.stringify(answer) })

export function rehearse(setup: Setup, options: RehearsalOptions = {}): Rehearsal {
  const { account = newAccount(), faults = [], tell = () => {} } = options
  const left = [...faults]
  const asked: string[] = []
  const told: string[] = []
  let now = Date.parse('2026-11-22T12:00:00Z')
  return {
    account,
    asked,
    told,
    async run(command) {
      const text = commandText(command)
      asked.push(text)
      const fault = left.find(({ part }) => text.includes(part))
      if (fault !== undefined && fault.isForEver !== true) left.splice(left.indexOf(fault), 1)
      const right = fault === undefined || fault.isDone === true ? answerOf(command, setup, account) : undefined
      const own = typeof fault?.answer === 'function' ? fault.answer(account) : fault?.answer
      return { exitCode: 0, stdout: '', stderr: '', ...(own ?? right ?? answerOf(command, setup, account)) }
    },
    async pause(seconds) {
      now += seconds * 1_000
    },
    now: () => new Date(now),
    tell(line) {
      told.push(line)
      tell(line)
    },
  }
}

function answerOf({ args }: Command, setup: Setup, account: Account): Partial<Finished> {
  const [first = '', second = '', third = ''] = args
  const after = (option: string) => args[args.indexOf(option) + 1] ?? ''
  const isNoun = ['setup', 'service', 'journal'].includes(second)
  switch (isNoun ? `${first} ${second} ${third}` : `${first} ${second}`) {
    case '--version ':
      return { stdout: 'aws-cli/2.31.3 Python/3.13.7 Linux/6.8 exe/x86_64\n' }
    case 'run deploy':
      if (account.deployed === undefined && !args.includes('--first'))
        return { exitCode: 1, stderr: '--yes: nothing is deployed yet' }
      Object.assign(account, { deployed: after('--config'), version: account.version + 1, hasTable: true })
      return {}
    case 'cdk destroy':
      account.deployed = undefined
      return {}
    case 'sluice setup diff':
      if (account.deployed === undefined)
        return { exitCode: 8, stderr: 'nothing that reports its configuration is deployed' }
      return json({ changes: account.deployed === after('--config') ? [] : [{ path: CHANGED_GUARD }] })
    case 'sluice run':
      return json({ outcome: 'FILLED', intentId: 'cv-1', orderId: orderOf(after('--id'), account) })
    case 'sluice service orders':
      return json([...account.orders.values()].map((id) => ({ id })))
    case 'sluice halt':
    case 'sluice resume':
      account.isHalted = second === 'halt'
      return json({})
    case 'sluice journal audit':
      return json({ outcome: 'TIES_OUT', orders: account.orders.size, allFrom: '2026-11-22T12:20:00Z' })
    case 'sts get-caller-identity':
      return json({ Account: setup.place.account })
    default:
      return ofAws(second, after, account)
  }
}

function ofAws(verb: string, after: (option: string) => string, account: Account): Partial<Finished> {
  switch (verb) {
    case 'describe-table': {
      const { hasTable, isProtected } = account
      return hasTable ? json({ Table: { TableStatus: 'ACTIVE', DeletionProtectionEnabled: isProtected } }) : NOT_THERE
    }
    case 'update-table':
      account.isProtected = false
      return {}
    case 'delete-table':
      if (account.isProtected) return { exitCode: 254, stderr: 'ValidationException: deletion protection' }
      account.hasTable = false
      return {}
    case 'get-role':
      return account.deployed === undefined ? { exitCode: 254, stderr: 'NoSuchEntity' } : {}
    case 'create-secret':
      if (account.secrets.has(after('--name'))) return { exitCode: 254, stderr: 'ResourceExistsException' }
      account.secrets.add(after('--name'))
      return {}
    case 'delete-secret':
      return account.secrets.delete(after('--secret-id')) ? {} : NOT_THERE
    case 'start-execution':
      Object.assign(account, { held: after('--name'), heldVersion: account.version })
      return json({ executionArn: 'arn:held' })
    case 'describe-execution': {
      if (account.isHalted) return json({ status: 'RUNNING' })
      return json({ status: 'SUCCEEDED', output: `{"orderId":"${orderOf(account.held ?? '', account)}"}` })
    }
    case 'get-execution-history':
      return { stdout: `"arn:aws:lambda:eu-west-1:1:function:it-sluice-order:${account.heldVersion}"` }
    default:
      return {}
  }
}

/** The same id has the same order, as in the journal. */
function orderOf(id: string, { orders }: Account): string {
  const known = orders.get(id) ?? `order-${orders.size + 1}`
  orders.set(id, known)
  return known
}
