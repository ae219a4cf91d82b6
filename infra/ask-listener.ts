// Asks, before a deployment, who is to hear alarms, where treasury.json names nobody. The answer goes into the file, as a line
// of its own, so that nothing else of the file changes. Asks nothing where nobody can answer.
import { readFileSync, writeFileSync } from 'node:fs'
import type { Interface } from 'node:readline/promises'
import { MAIL_SCHEME } from '../core/contract/addresses.ts'
import { type Treasury, treasury } from '../core/contract/treasury.ts'
import { loadTreasury, parseTreasury } from '../core/treasury/config.ts'

const HOW = 'in the file: "alarms": {"page": ["mailto:on-call@example.com"]}'
const NOBODY = 'nobody hears the alarms of this deployment'
const QUESTION = 'who is to hear when an alarm rings? a mail address, an https address, or Enter for nobody: '
/** An address that is none is asked for again this often. */
const MOST_QUESTIONS = 3

export function isHeard({ alarms }: Pick<Treasury, 'alarms'>): boolean {
  return alarms?.topicArn !== undefined || (alarms?.page ?? []).length > 0
}

/** As SNS takes it; undefined for what is no address. */
export function addressOf(answer: string): string | undefined {
  const text = answer.trim()
  const address = text.includes('@') && !/^(mailto|https):/.test(text) ? `${MAIL_SCHEME}${text}` : text
  return treasury.shape.alarms.safeParse({ page: [address] }).success ? address : undefined
}

/**
 * The text of a treasury.json with the address in it. Undefined where it has a field `alarms` already, or is not to be
 * changed safely: then a person writes it.
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

export interface Asking {
  readonly file: string
  /** Absent where nobody can be asked. */
  readonly terminal: Pick<Interface, 'question'> | undefined
  readonly tell: (line: string) => void
}

/** Never stands in the way of a deployment: what it cannot do, it says. A file that cannot be used is told by the next step. */
export async function askListener({ file, terminal, tell }: Asking): Promise<void> {
  let heard: boolean
  try {
    heard = isHeard(loadTreasury(file))
  } catch {
    return
  }
  if (heard) return
  const address = terminal === undefined ? undefined : await askAddress(terminal, tell)
  if (address === undefined) return tell(`${NOBODY}; ${HOW}`)
  const changed = withListener(readFileSync(file, 'utf8'), address)
  if (changed === undefined) return tell(`${NOBODY}; write the address yourself, ${HOW}`)
  writeFileSync(file, changed)
  tell(`${file}: alarms.page names it. AWS asks a mail address to confirm: nothing is heard before that`)
}

async function askAddress(terminal: Pick<Interface, 'question'>, tell: Asking['tell']): Promise<string | undefined> {
  for (let asked = 0; asked < MOST_QUESTIONS; asked += 1) {
    const answer = await terminal.question(QUESTION)
    if (answer.trim() === '') return undefined
    const address = addressOf(answer)
    if (address !== undefined) return address
    tell('expected an address, such as on-call@example.com or https://alerts.example.com/sluice')
  }
  return undefined
}
