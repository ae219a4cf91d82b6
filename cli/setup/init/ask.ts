// Collects the answers: from flags, and on a terminal from the person. A wrong answer is asked for again. Without a terminal,
// all missing and wrong answers are reported at once.

import { answerFlags } from '../../../operations/setup/answers.ts'
import {
  type Answers,
  isAboutAssets,
  NotAnAnswer,
  type Question,
  questions,
  usualAnswer,
} from '../../../operations/setup/questions.ts'
import type { Reference } from '../../../operations/setup/reference.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { OperationError, unfit, usageError } from '../../../place/operation-error.ts'
import { assetLines } from '../../../views/asset-lines.ts'
import { INVOCATION } from '../../terminal/command-line.ts'
import type { CommandContext } from '../../terminal/context.ts'
import { findPerson, MOST_TRIES, type Person, Unanswered } from '../../terminal/prompt.ts'

type Given = Readonly<Record<string, string | undefined>>

/** @throws OperationError: exit 2 naming each flag, exit 130 for Ctrl-C */
export async function collectAnswers(
  given: Given,
  reference: Reference,
  isSilent: boolean,
  context: Pick<CommandContext, 'stdin' | 'output'>,
): Promise<Answers> {
  const person = isSilent ? undefined : findPerson(context)
  if (person === undefined) return readAll(given, reference)
  const answers: Record<string, string> = {}
  let areAssetsShown = false
  for (const question of questions) {
    if (!isAsked(question, answers)) continue
    const text = given[question.flag]
    if (text === undefined && isAboutAssets(question) && !areAssetsShown) {
      for (const line of assetLines(reference)) context.output.note(line)
      areAssetsShown = true
    }
    const read = text === undefined ? undefined : tryRead(question, text, reference)
    if (typeof read === 'string') context.output.note(`  ${read}`)
    answers[question.flag] = typeof read === 'object' ? read.answer : await ask(question, reference, person)
  }
  return answers
}

function readAll(given: Given, reference: Reference): Answers {
  const answers: Record<string, string> = {}
  const findings: string[] = []
  for (const question of questions) {
    if (!isAsked(question, answers)) continue
    const { flag } = question
    const text = given[flag] ?? usualAnswer(question, reference)
    const read =
      text === undefined ? `--${flag}: expected ${answerFlags[flag]}; got nothing` : tryRead(question, text, reference)
    if (typeof read === 'string') findings.push(read)
    else answers[flag] = read.answer
    // The other questions depend on this answer.
    if (flag === 'kind' && findings.length > 0) break
  }
  if (findings.length === 0) return answers
  throw usageError(
    'usage',
    findings.join('\n'),
    `${INVOCATION} setup init --help   # or run it on a terminal, to be asked`,
  )
}

async function ask(question: Question, reference: Reference, person: Person): Promise<string> {
  const { flag, asks: message, choices: words } = question
  const otherwise = usualAnswer(question, reference)
  const given = (text: string) => text.trim() || otherwise || ''
  const faultOf = (text: string) => {
    const read = tryRead(question, given(text), reference)
    return typeof read === 'string' ? read : undefined
  }
  try {
    const asked =
      words === undefined ? person.line({ message, otherwise, faultOf }) : person.choose({ message, words, otherwise })
    return question.read(given(await asked), reference)
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    if (error.why !== 'too many tries') throw interrupted()
    throw unfit(flag, `no answer after ${MOST_TRIES} tries`, `give it as --${flag}`)
  }
}

/** The answer, or on one line what is wrong with it. */
function tryRead(question: Question, text: string, reference: Reference): { readonly answer: string } | string {
  try {
    return { answer: question.read(text, reference) }
  } catch (error) {
    if (error instanceof NotAnAnswer) return `--${question.flag}: ${error.message}`
    throw error
  }
}

function isAsked({ flag, kinds }: Question, { kind }: Answers): boolean {
  return flag === 'kind' || kinds.some((known) => known === kind)
}

export function interrupted(): OperationError {
  return new OperationError({
    exitCode: ExitCode.Interrupted,
    code: 'interrupted',
    message: 'interrupted; nothing was written',
    next: 'run the same command again',
  })
}
