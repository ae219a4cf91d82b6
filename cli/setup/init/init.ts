// `sluice setup init`: writes a treasury.json from answers, or adds a policy to one. It reads reference data of the service
// and moves nothing. It never writes a file that the checks refuse, and replaces a file only with --force.

import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { draftOf } from '@sluice/embedded-aws'
import { KeyRole, Stage } from '../../../core/contract/service-settings.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { ConfigError, loadTreasury, parseTreasury } from '../../../core/treasury/config.ts'
import { decodeText } from '../../../core/treasury/decode-text.ts'
import { parseJsonText } from '../../../core/treasury/json-text.ts'
import { diffLines, withPolicy } from '../../../operations/setup/add-policy.ts'
import { draftPolicy, findMismatches, findWays, setupOf, treasuryText } from '../../../operations/setup/draft.ts'
import { questions } from '../../../operations/setup/questions.ts'
import { type Reference, readReference } from '../../../operations/setup/reference.ts'
import { parseKey } from '../../../place/configuration.ts'
import { rootDir } from '../../../place/context.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { systemCodeOf } from '../../../place/files/disk-fault.ts'
import { failedWith, unfit, usageError } from '../../../place/operation-error.ts'
import { withConnectedService } from '../../../place/place-service.ts'
import { withConnection } from '../../../place/service/service-connection.ts'
import { serviceFailure } from '../../../place/service/service-failure.ts'
import { type Flags, resolveSettings } from '../../../place/settings.ts'
import { printable } from '../../../views/text/shown.ts'
import type { CommandContext } from '../../terminal/context.ts'
import { findPerson, type Person, Unanswered } from '../../terminal/prompt.ts'
import { collectAnswers, interrupted } from './ask.ts'

export interface InitFlags extends Omit<Flags, 'config'> {
  readonly out?: string
  readonly stage?: string
  readonly force?: true
  readonly add?: true
  /** False with --no-input. */
  readonly input?: boolean
  /** Answers, by the name that commander gives the flag. */
  readonly [answer: string]: unknown
}

const NO_SERVICE = 'https://api.example.com'

/**
 * @throws OperationError: exit 2 for missing or wrong answers, or an existing file; exit 1 where the service does not answer
 */
export async function init(flags: InitFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const file = path.resolve(flags.out ?? 'treasury.json')
  const isSilent = flags.input === false || output.json
  const known = (await isAdded(file, flags, isSilent, context)) ? readKnown(file) : undefined
  const { given, isByFile, name = '', notes, text } = await draftTreasury(flags, schemaFrom(file), context, known)
  if (known !== undefined) await showAdded(known.text, text, file, isSilent, context)
  writeTreasury(text, file)
  if (output.json) output.facts({ file, treasury: parseJsonText(text) })
  else output.data(file)
  for (const note of notes) output.note(note)
  const there = { ...given, config: file }
  output.next([
    isByFile
      ? { do: 'check-payouts', file: 'FILE', policy: name, at: there, why: 'what a file would pay; moves nothing' }
      : { do: 'plan', policy: name, at: there, why: 'what it would do now; moves nothing' },
    { do: 'check-setup', at: there },
  ])
  return ExitCode.Done
}

/** Asks, and returns the text of a right file, or of `known` with one policy more. @throws as init */
export async function draftTreasury(flags: InitFlags, schema: string, context: CommandContext, known?: Known) {
  const isSilent = flags.input === false || context.output.json
  const stage = known?.treasury.service.stage ?? readStage(flags.stage)
  const { state, service, keys } = flags
  const given = {
    ...(state !== undefined && { state }),
    ...(service !== undefined && { service }),
    ...(keys !== undefined && { keys }),
  }
  const settings = resolveSettings(given, context.variables)
  const reference = {
    ...(await readServiceReference(settings, stage, context)),
    ...(known && { policies: Object.keys(known.treasury.policies) }),
  }
  const answers = await collectAnswers(givenIn(flags), reference, isSilent, context)
  const ways = findWays(answers, reference)
  const mismatches = [
    ...findMismatches(answers, reference).map((problem) => `--contact: ${problem}`),
    ...ways.mismatches,
  ]
  if (mismatches.length > 0) throw usageError('input', mismatches.join('\n'), 'correct it and run the command again')
  const { hubs } = ways
  const serviceUrl = settings.service?.url ?? NO_SERVICE
  const text =
    known === undefined
      ? treasuryText(answers, { schema, serviceUrl, stage, hubs })
      : withPolicy(known.text, answers.name ?? '', draftPolicy(answers, hubs))
  assertRight(text)
  const notes = [
    hubs && `hubs ${hubs.join(', ')}: some of its assets have no market with each other, or with ${hubs[0]}`,
    settings.service === undefined &&
      (known === undefined
        ? `put the address of your service in place of ${NO_SERVICE}`
        : noteOfSandbox(known.treasury)),
  ]
  return {
    text,
    given,
    isByFile: setupOf(answers).isByFile === true,
    name: answers.name,
    notes: notes.filter((note) => typeof note === 'string'),
  }
}

function readStage(text = 'test'): Stage {
  if (text === Stage.Live || text === Stage.Test) return text
  throw unfit('stage', 'expected live or test; got something else')
}

type Settings = ReturnType<typeof resolveSettings>

async function readServiceReference(settings: Settings, stage: Stage, context: CommandContext): Promise<Reference> {
  return withConnectedService(settings, context, async ({ url, keys, isBuiltIn }) => {
    const key = parseKey(keys, isBuiltIn ? Stage.Test : stage, KeyRole.Read)
    try {
      return await withConnection({ baseUrl: url, key, clock: context.clock }, readReference)
    } catch (error) {
      throw serviceFailure(error)
    }
  })
}

/** The answers by the name of their flag. Commander gives them in camel case. */
function givenIn(flags: InitFlags): Record<string, string | undefined> {
  return Object.fromEntries(
    questions.map(({ flag }) => {
      const value = flags[flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())]
      return [flag, typeof value === 'string' ? value : undefined]
    }),
  )
}

function schemaFrom(file: string): string {
  const relative = path
    .relative(path.dirname(file), path.join(rootDir, 'treasury.schema.json'))
    .replaceAll(path.sep, '/')
  return relative.startsWith('.') ? relative : `./${relative}`
}

function assertRight(text: string): void {
  try {
    parseTreasury(text)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw usageError('input', error.message, 'answer differently; nothing was written')
  }
}

/** Writes the whole file or nothing: a draft is written beside it, and then renamed. */
export function writeTreasury(text: string, file: string): void {
  const draft = draftOf(file)
  try {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode
    writeFileSync(draft, text, { flag: 'wx', ...(mode !== undefined && { mode }) })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw unfit('out', `cannot write ${file} (${systemCodeOf(error)})`, 'give --out a file that can be written')
  }
}

// Adds a policy to an existing treasury.json: offers it, reads the file, shows the change and asks. It never changes
// anything else of the file.

/** Whether the policy goes into the existing file. @throws OperationError (exit 2) where a person has to say so first */
async function isAdded(
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

interface Known {
  readonly text: string
  readonly treasury: Treasury
}

/** @throws OperationError (exit 2) for a file that is not a treasury.json without faults */
function readKnown(file: string): Known {
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
async function showAdded(
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

function noteOfSandbox(known: Treasury): string {
  return `assets and contacts are those of the built-in sandbox: with --service ${known.service.url} --keys FILE they are those of the account`
}
