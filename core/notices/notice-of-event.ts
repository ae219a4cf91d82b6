// Builds a notice from an event of the bus: what happened, to which subject, and which command to type. It uses only
// names, ids and named ends of an event. Sentences in events may contain amounts, balances and texts of others. Pure.
import { createHash } from 'node:crypto'
import {
  APPROVAL_AWAITED,
  awaitedDetail,
  FILE_REFUSED,
  fileRefusedDetail,
  ResultEvent,
  resultDetail,
  SwitchEvent,
  switchDetail,
} from '../contract/events.ts'
import { intentIdOf } from '../contract/fields.ts'
import { type Notice, NoticeAbout } from '../contract/notices.ts'
import { outcomeText } from '../contract/outcome-names.ts'
import { RunEnd } from '../contract/runs.ts'
import { NOTICE_VERSION, type PlainNotice, type QueuedNotice } from '../contract/sent-notices.ts'
import type { Treasury } from '../contract/treasury.ts'
import { Refused } from '../errors.ts'
import { nameText } from './shapes.ts'

export interface NoticeSender extends Pick<Treasury, 'environment'> {
  readonly stage: Treasury['service']['stage']
  /** Whether commands are for a state directory, and not for AWS. */
  readonly isDesk: boolean
}

type EventReport = Pick<PlainNotice, 'about' | 'at' | 'subject' | 'outcome' | 'says'> & {
  readonly commands: readonly string[]
  /** Text that is equal for a repeated event. */
  readonly same: string
}

/** Undefined for an event that this notice is not about. @throws Refused for an event that Sluice does not send */
export function noticeOf(
  { event }: Pick<QueuedNotice, 'event'>,
  config: Pick<Notice, 'name' | 'about' | 'policies' | 'consolePort'>,
  teller: NoticeSender,
): PlainNotice | undefined {
  const report = reportOf(event['detail-type'], event.detail, config)
  return report && noticeFrom(report, config, teller)
}

/** The notice that `sluice events notices test` sends. */
export function testNotice(
  { id, at }: { readonly id: string; readonly at: string },
  config: Pick<Notice, 'name' | 'consolePort'>,
  teller: NoticeSender,
) {
  const { name } = config
  const says = `This is a test of the notice ${name}. Nothing has happened.`
  const about = 'test' as const
  return noticeFrom(
    { about, at, subject: { kind: 'notice', id: name }, outcome: 'TEST', says, commands: [], same: id },
    config,
    teller,
  )
}

function noticeFrom(
  { same, commands, ...report }: EventReport,
  { name: notice, consolePort }: Pick<Notice, 'name' | 'consolePort'>,
  { environment, isDesk, stage }: NoticeSender,
): PlainNotice {
  const path = consolePort === undefined ? undefined : pathOf(report)
  const where = isDesk ? '' : ' --aws'
  return {
    version: NOTICE_VERSION,
    id: createHash('sha256')
      .update([environment ?? '', notice, report.about, same].join('\n'))
      .digest('hex')
      .slice(0, 32),
    ...report,
    notice,
    ...(environment !== undefined && { environment }),
    stage,
    commands: commands.map((command) => `npx sluice ${command}${where}`),
    ...(path !== undefined && { link: `http://127.0.0.1:${consolePort}/go/${path}` }),
  }
}

/** The page of the console about the subject. Undefined for a test, and for an id that could not be written in full. */
function pathOf({ about, subject: { kind, id = '' } }: Pick<EventReport, 'about' | 'subject'>): string | undefined {
  if (kind === 'sending') return 'halt'
  if (kind === 'notice') return 'queue'
  if (!/^[A-Za-z0-9_-]+$/.test(id)) return undefined
  if (kind !== 'run') return `intents/${id}`
  return about === NoticeAbout.WaitsForApproval ? `runs/${id}/decide` : `runs/${id}`
}

function reportOf(
  detailType: string,
  detail: unknown,
  config: Pick<Notice, 'about' | 'policies'>,
): EventReport | undefined {
  switch (detailType) {
    case ResultEvent.Run:
      return reportOfRun(detail, config)
    case ResultEvent.Conversion:
    case ResultEvent.Withdrawal:
      return reportOfMovement(detailType, detail, config)
    case APPROVAL_AWAITED:
      return reportOfWait(detail, config)
    case FILE_REFUSED:
      return reportOfFile(detail, config)
    case SwitchEvent.Halted:
    case SwitchEvent.Resumed:
      return reportOfSwitch(detailType, detail, config)
    default:
      throw new Refused('event.detail-type: expected the type of an event that Sluice sends')
  }
}

const IN_NEED: ReadonlySet<string> = new Set(['NEEDS_ATTENTION', 'STUCK', 'OWN_FAULT'])

function reportOfRun(
  detail: unknown,
  { about, policies }: Pick<Notice, 'about' | 'policies'>,
): EventReport | undefined {
  const { execution, endedAt, result } = read(resultDetail[ResultEvent.Run].safeParse(detail))
  const { outcome } = result
  if (policies !== undefined && (result.policy === undefined || !policies.includes(result.policy))) return undefined
  const topic = aboutOfRun(outcome).find((each) => about.includes(each))
  if (topic === undefined) return undefined
  const id = nameText(intentIdOf(execution))
  const policyText = result.policy === undefined ? '' : ` of policy ${nameText(result.policy)}`
  const run = `Run ${id}${policyText}`
  return {
    about: topic,
    at: endedAt,
    subject: { kind: 'run', id, ...(result.policy !== undefined && { policy: nameText(result.policy) }) },
    outcome,
    same: `${execution}\n${endedAt}`,
    ...textsOfRun(topic, run, id, outcome),
  }
}

/** Subjects of the outcome, the most urgent first. */
function aboutOfRun(outcome: string): readonly NoticeAbout[] {
  if (outcome === RunEnd.AwaitingApproval) return [NoticeAbout.WaitsForApproval]
  return IN_NEED.has(outcome) ? [NoticeAbout.NeedsPerson, NoticeAbout.RunEnded] : [NoticeAbout.RunEnded]
}

function textsOfRun(
  about: NoticeAbout,
  run: string,
  id: string,
  outcome: string,
): Pick<EventReport, 'says' | 'commands'> {
  if (about === NoticeAbout.WaitsForApproval) {
    return { says: `${run} waits for approval.`, commands: [`runs show ${id}`, `approve ${id} --because TEXT`] }
  }
  if (!IN_NEED.has(outcome)) return { says: `${run} ended: ${outcomeText(outcome)}.`, commands: [`runs show ${id}`] }
  return { says: inNeedText(run, outcome), commands: ['cases list', `runs show ${id}`] }
}

/** The code of the outcome is a field of the notice. */
function inNeedText(what: string, outcome: string): string {
  return outcome === RunEnd.NeedsAttention
    ? `${what} needs a person.`
    : `${what} needs a person: ${outcomeText(outcome)}.`
}

function reportOfMovement(
  detailType: typeof ResultEvent.Conversion | typeof ResultEvent.Withdrawal,
  detail: unknown,
  { about, policies }: Pick<Notice, 'about' | 'policies'>,
): EventReport | undefined {
  const isConversion = detailType === ResultEvent.Conversion
  const { execution, endedAt, result } = isConversion
    ? read(resultDetail[ResultEvent.Conversion].safeParse(detail))
    : read(resultDetail[ResultEvent.Withdrawal].safeParse(detail))
  if (policies !== undefined || !about.includes(NoticeAbout.NeedsPerson) || !IN_NEED.has(result.outcome))
    return undefined
  const id = nameText(intentIdOf(execution))
  return {
    about: NoticeAbout.NeedsPerson,
    at: endedAt,
    subject: { kind: isConversion ? 'conversion' : 'withdrawal', id },
    outcome: result.outcome,
    says: inNeedText(`${isConversion ? 'Conversion' : 'Withdrawal'} ${id}`, result.outcome),
    commands: ['cases list', `movements show ${id}`],
    same: `${execution}\n${endedAt}`,
  }
}

/** A run does not report that its leg waits. So a notice for some policies includes their waiting movements. */
function reportOfWait(
  detail: unknown,
  { about, policies }: Pick<Notice, 'about' | 'policies'>,
): EventReport | undefined {
  const { at, intentId, kind, policy, terms } = read(awaitedDetail.safeParse(detail))
  if (!about.includes(NoticeAbout.WaitsForApproval)) return undefined
  if (policies !== undefined && (policy === undefined || !policies.includes(policy))) return undefined
  const id = nameText(intentId)
  const policyText = policy === undefined ? '' : ` of policy ${nameText(policy)}`
  return {
    about: NoticeAbout.WaitsForApproval,
    at,
    subject: { kind, id, ...(policy !== undefined && { policy: nameText(policy) }) },
    outcome: RunEnd.AwaitingApproval,
    says: `${kind === 'conversion' ? 'Conversion' : 'Withdrawal'} ${id}${policyText} waits for approval.`,
    commands: [`movements show ${id}`, `approve ${id} --because TEXT`],
    same: `${kind}\n${intentId}\n${terms}`,
  }
}

/** The key of the object and the findings are other people's text. The dead letter and the event have them. */
function reportOfFile(
  detail: unknown,
  { about, policies }: Pick<Notice, 'about' | 'policies'>,
): EventReport | undefined {
  const { at, bucket, key, policy, versionId = '' } = read(fileRefusedDetail.safeParse(detail))
  if (!about.includes(NoticeAbout.NeedsPerson)) return undefined
  if (policies !== undefined && !policies.includes(policy)) return undefined
  const name = nameText(policy)
  return {
    about: NoticeAbout.NeedsPerson,
    at,
    subject: { kind: 'file', policy: name },
    outcome: 'REFUSED',
    says: `A payout file of policy ${name} was refused, and nothing of it is paid: it needs a person.`,
    commands: ['events dead-letters'],
    same: `${bucket}\n${key}\n${versionId}`,
  }
}

function reportOfSwitch(
  detailType: SwitchEvent,
  detail: unknown,
  { about, policies }: Pick<Notice, 'about' | 'policies'>,
): EventReport | undefined {
  const { at, scope } = read(switchDetail[detailType].safeParse(detail))
  const isEverything = scope === '*'
  if (!about.includes(NoticeAbout.Halted)) return undefined
  if (policies !== undefined && !isEverything && !policies.includes(scope)) return undefined
  const scopeText = isEverything ? 'everything' : `policy ${nameText(scope)}`
  const isHalted = detailType === SwitchEvent.Halted
  const by = isHalted && switchDetail[SwitchEvent.Halted].parse(detail).isBreaker ? 'its breaker' : 'a person'
  return {
    about: NoticeAbout.Halted,
    at,
    subject: { kind: 'sending', ...(!isEverything && { policy: nameText(scope) }) },
    outcome: isHalted ? 'HALTED' : 'RESUMED',
    says: isHalted ? `Sending is halted for ${scopeText}, by ${by}.` : `Sending goes on for ${scopeText}, by ${by}.`,
    commands: ['cases list'],
    same: `${detailType}\n${scope}\n${at}`,
  }
}

type Parsed<Data> = { readonly success: true; readonly data: Data } | { readonly success: false }

function read<Data>(parsed: Parsed<Data>): Data {
  if (parsed.success) return parsed.data
  throw new Refused('event.detail: expected the detail of an event that Sluice sends')
}
