// Collects the answers: from flags, and on a terminal from the person. An answer that does not fit is asked for again.
// Without a terminal, everything that is missing or wrong is reported at once.
import { createInterface } from 'node:readline/promises'
import type { Readable } from 'node:stream'
import { CommandError, usageError } from '../terminal/command-error.ts'
import { INVOCATION } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import type { TextStream } from '../terminal/output.ts'
import { answerFlags } from './answer-flags.ts'
import { type Answers, NotAnAnswer, type Question, questions } from './questions.ts'
import type { Reference } from './reference.ts'

type Given = Readonly<Record<string, string | undefined>>

/** How many wrong answers in a row end the question, because a program may be answering. */
const MOST_TRIES = 20

/** @throws CommandError: exit 2 naming each flag, exit 130 for Ctrl-C */
export async function collectAnswers(
  given: Given,
  reference: Reference,
  isSilent: boolean,
  { stdin, output }: Pick<CommandContext, 'stdin' | 'output'>,
): Promise<Answers> {
  const { terminal } = output
  if (isSilent || terminal === undefined || (stdin as Readable & { isTTY?: boolean }).isTTY !== true) {
    return readAll(given, reference)
  }
  return askAll(given, reference, stdin, terminal)
}

function readAll(given: Given, reference: Reference): Answers {
  const answers: Record<string, string> = {}
  const findings: string[] = []
  for (const question of questions) {
    if (!isAsked(question, answers)) continue
    const { flag } = question
    const text = given[flag] ?? question.otherwise
    const read =
      text === undefined ? `--${flag}: expected ${answerFlags[flag]}; got nothing` : tryRead(question, text, reference)
    if (typeof read === 'string') findings.push(read)
    else answers[flag] = read.answer
    // The other questions depend on this one.
    if (flag === 'kind' && findings.length > 0) break
  }
  if (findings.length === 0) return answers
  throw usageError('usage', findings.join('\n'), `${INVOCATION} init --help   # or run it on a terminal, to be asked`)
}

async function askAll(given: Given, reference: Reference, stdin: Readable, terminal: TextStream): Promise<Answers> {
  const lines = createInterface({ input: stdin, output: terminal })
  const stopped = new AbortController()
  for (const end of ['SIGINT', 'close'] as const) lines.once(end, () => stopped.abort(interrupted()))
  const answers: Record<string, string> = {}
  try {
    for (const question of questions) {
      if (!isAsked(question, answers)) continue
      const ask = () => lines.question(promptOf(question), { signal: stopped.signal })
      const asked = { question, given: given[question.flag], ask }
      answers[question.flag] = await askUntilRead(asked, reference, terminal)
    }
    return answers
  } catch (error) {
    throw stopped.signal.aborted ? stopped.signal.reason : error
  } finally {
    lines.removeAllListeners('close')
    lines.close()
  }
}

interface AskedQuestion {
  readonly question: Question
  /** The answer that a flag gave. */
  readonly given: string | undefined
  readonly ask: () => Promise<string>
}

async function askUntilRead(
  { question, given, ask }: AskedQuestion,
  reference: Reference,
  terminal: TextStream,
): Promise<string> {
  let text = given ?? ((await ask()).trim() || question.otherwise || '')
  for (let tries = 1; tries < MOST_TRIES; tries += 1) {
    const read = tryRead(question, text, reference)
    if (typeof read !== 'string') return read.answer
    terminal.write(`  ${read}\n`)
    text = (await ask()).trim() || question.otherwise || ''
  }
  throw usageError('usage', `--${question.flag}: no answer after ${MOST_TRIES} tries`, `give it as --${question.flag}`)
}

/** The answer, or in one line what is wrong with it. */
function tryRead(question: Question, text: string, reference: Reference): { readonly answer: string } | string {
  try {
    return { answer: question.read(text, reference) }
  } catch (error) {
    if (error instanceof NotAnAnswer) return `--${question.flag}: ${error.message}`
    throw error
  }
}

function isAsked({ flag, kinds }: Question, { kind }: Answers): boolean {
  return flag === 'kind' || kinds.some((one) => one === kind)
}

function promptOf({ asks, otherwise }: Question): string {
  return `${asks}${otherwise === undefined ? '' : ` [${otherwise}]`} `
}

function interrupted(): CommandError {
  return new CommandError({
    exitCode: ExitCode.Interrupted,
    code: 'interrupted',
    message: 'interrupted; nothing was written',
    next: 'run the same command again',
  })
}
