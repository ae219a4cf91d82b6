// Asks before a deployment who is to receive alarms, where treasury.json names nobody. Writes the answer into the file
// as a line of its own, so that the rest stays the same. Without a terminal it asks nothing.
import { readFileSync, writeFileSync } from 'node:fs'
import type { Interface } from 'node:readline/promises'
import { MAIL_SCHEME } from '../../core/contract/addresses.ts'
import { type Treasury, treasury } from '../../core/contract/treasury.ts'
import { loadTreasury, parseTreasury } from '../../core/treasury/config.ts'
import { decodeText } from '../../core/treasury/decode-text.ts'

const HOW = 'in the file: "alarms": {"page": ["mailto:on-call@example.com"]}'
const NOBODY = 'nobody hears the alarms of this deployment'
const QUESTION = 'who is to hear when an alarm rings? a mail address, an https address, or Enter for nobody: '
/** How often it asks again after an invalid address. */
const MOST_QUESTIONS = 3

export function hasAlarmListener({ alarms }: Pick<Treasury, 'alarms'>): boolean {
  return [alarms?.topicArn, alarms?.topics?.page].some((arn) => arn !== undefined) || (alarms?.page ?? []).length > 0
}

/** The address in SNS's form; `undefined` for an invalid address. */
export function addressOf(answer: string): string | undefined {
  const text = answer.trim()
  const address = text.includes('@') && !/^(mailto|https):/.test(text) ? `${MAIL_SCHEME}${text}` : text
  return treasury.shape.alarms.safeParse({ page: [address] }).success ? address : undefined
}

/**
 * The text of a treasury.json with the address added. `undefined` when the file has a field `alarms` already or cannot
 * be changed safely: a person must then write it.
 */
export function withListener(text: string, address: string): string | undefined {
  const before = parseTreasury(text)
  if (before.alarms !== undefined) return undefined
  const alarms = { page: [address] }
  const changed = text.replace('{', () => `{\n  "alarms": ${JSON.stringify(alarms)},`)
  const after = parseTreasury(changed)
  return JSON.stringify({ ...after, alarms: undefined }) === JSON.stringify({ ...before, alarms: undefined }) &&
    JSON.stringify(after.alarms) === JSON.stringify(alarms)
    ? changed
    : undefined
}

export interface ListenerQuestion {
  readonly file: string
  /** Absent without a terminal. */
  readonly terminal: Pick<Interface, 'question'> | undefined
  readonly tell: (line: string) => void
}

/**
 * Never blocks a deployment: reports what it cannot do. An unusable file is reported by the next step.
 * @returns whether the file was changed
 */
export async function askListener({ file, terminal, tell }: ListenerQuestion): Promise<boolean> {
  let hasListener: boolean
  try {
    hasListener = hasAlarmListener(loadTreasury(file))
  } catch {
    return false
  }
  if (hasListener) return false
  const address = terminal === undefined ? undefined : await askAddress(terminal, tell)
  const changed = address === undefined ? undefined : withListener(decodeText(readFileSync(file)), address)
  if (changed === undefined) {
    tell(`${NOBODY}; ${address === undefined ? '' : 'write the address yourself, '}${HOW}`)
    return false
  }
  writeFileSync(file, changed)
  tell(`${file}: alarms.page names it. AWS asks a mail address to confirm: nothing is heard before that`)
  return true
}

async function askAddress(
  terminal: Pick<Interface, 'question'>,
  tell: ListenerQuestion['tell'],
): Promise<string | undefined> {
  for (let question = 0; question < MOST_QUESTIONS; question += 1) {
    const answer = await terminal.question(QUESTION)
    if (answer.trim() === '') return undefined
    const address = addressOf(answer)
    if (address !== undefined) return address
    tell('expected an address, such as on-call@example.com or https://alerts.example.com/sluice')
  }
  return undefined
}
