// Adds a policy to an existing treasury.json: offers it, reads the file, shows the change and asks. It never changes
// anything else of the file.
import { existsSync, readFileSync } from 'node:fs'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { ConfigError, loadTreasury } from '../../../core/treasury/config.ts'
import { decodeText } from '../../../core/treasury/decode-text.ts'
import { diffLines } from '../../../operations/setup/add-policy.ts'
import { failedWith, unfit, usageError } from '../../../place/operation-error.ts'
import { printable } from '../../../views/text/shown.ts'
import type { CommandContext } from '../../terminal/context.ts'
import { findPerson, type Person, Unanswered } from '../../terminal/prompt.ts'
import { interrupted } from './ask.ts'

/** Whether the policy goes into the existing file. @throws OperationError (exit 2) where a person has to say so first */
export async function isAdded(
  file: string,
  { add, force }: { readonly add?: true; readonly force?: true },
  isSilent: boolean,
  context: CommandContext,
): Promise<boolean> {
  if (add === true && force === true)
    throw usageError('usage', '--add and --force: expected one of them; got both', 'leave one of them out')
  if (!existsSync(file)) {
    if (add !== true) return false
    throw unfit('add', `there is no ${file}`, 'leave --add out, or give --out an existing file')
  }
  if (add === true || force === true) return add === true
  const person = isSilent ? undefined : findPerson(context)
  const message = `${file} exists. Add a policy to it?`
  if (person !== undefined && (await agrees(person, message))) return true
  throw unfit(
    'out',
    `${file} exists already`,
    'add --add to put the policy into it, --force to replace it, or give --out another file',
  )
}

/** @throws OperationError (exit 130) for Ctrl-C */
async function agrees(person: Person, message: string): Promise<boolean> {
  try {
    return (await person.choose({ message, words: ['yes', 'no'], otherwise: 'yes' })) === 'yes'
  } catch (error) {
    throw error instanceof Unanswered ? interrupted() : error
  }
}

export interface Known {
  readonly text: string
  readonly treasury: Treasury
}

/** @throws OperationError (exit 2) for a file that is not a treasury.json without faults */
export function readKnown(file: string): Known {
  try {
    return { treasury: loadTreasury(file), text: readUtf8(file) }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw usageError('configuration', error.message, 'correct the file first; nothing was written')
  }
}

/** The text to the letter, with its mark of UTF-8 where it has one. @throws OperationError (exit 2) */
function readUtf8(file: string): string {
  const bytes = readFileSync(file)
  const text = bytes.toString('utf8')
  if (text.replace(/^\uFEFF/, '') === decodeText(bytes).replace(/^\uFEFF/, '')) return text
  throw usageError('configuration', `${file}: expected UTF-8; got another encoding`, 'save the file as UTF-8 first')
}

/** Shows the change, and asks a person. @throws OperationError where the person does not agree */
export async function showAdded(
  was: string,
  is: string,
  file: string,
  isSilent: boolean,
  context: CommandContext,
): Promise<void> {
  const { output } = context
  if (!output.json) for (const line of diffLines(was, is)) output.note(printable(line))
  const person = isSilent ? undefined : findPerson(context)
  const isAgreed = person === undefined || (await agrees(person, `Write this to ${file}?`))
  if (isAgreed && readUtf8(file) === was) return
  throw failedWith(
    'declined',
    isAgreed ? `${file} was changed meanwhile; nothing was written` : 'nothing was written',
    'run the same command again',
  )
}

export function noteOfSandbox(known: Treasury): string {
  return `assets and contacts are those of the built-in sandbox: with --service ${known.service.url} --keys FILE they are those of the account`
}
