// Asks a person at the terminal for a line of text, or for a choice of words. Only this file uses the library for prompts,
// and loads it with the first question. The caller decides how a command ends without an answer.

import { printable } from '../../views/text/shown.ts'
import type { CommandContext } from './context.ts'

/** Maximum wrong answers in a row. A program may be answering. */
export const MOST_TRIES = 20

/** Reasons: Ctrl-C, the end of the input (Ctrl-D), or too many wrong answers. */
export type NoAnswer = 'interrupted' | 'ended' | 'too many tries'

export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  readonly why: NoAnswer

  constructor(why: NoAnswer, options?: ErrorOptions) {
    super(`a question has no answer: ${why}`, options)
    this.why = why
  }
}

interface LineQuestion {
  readonly message: string
  /** The answer when the person types nothing. */
  readonly otherwise?: string | undefined
  /** Says on one line what is wrong with an answer. The question stays open until an answer is right. */
  readonly faultOf?: (answer: string) => string | undefined
}

interface ChoiceQuestion {
  readonly message: string
  readonly words: readonly string[]
  readonly otherwise?: string | undefined
}

/** The library would put a tick before an answered question, even if the answer was no. */
const theme = { prefix: '?' }

/** A person who can be asked. Each question rejects with Unanswered. */
export interface Person {
  line(question: LineQuestion): Promise<string>
  choose(question: ChoiceQuestion): Promise<string>
}

/** Undefined where nobody can be asked: input or output is not a terminal, or the output is JSON. */
export function findPerson({ stdin, output }: Pick<CommandContext, 'stdin' | 'output'>): Person | undefined {
  const { terminal } = output
  if (terminal === undefined || stdin.isTTY !== true) return undefined
  const streams = { input: stdin, output: terminal }
  return {
    async line({ message, otherwise, faultOf }) {
      const { default: input } = await import('@inquirer/input')
      let faults = 0
      const validate = (text: string) => {
        const fault = faultOf?.(text)
        if (fault === undefined) return true
        faults += 1
        // The library cannot be stopped here. It accepts the last answer, which is then refused below.
        return faults === MOST_TRIES || printable(fault)
      }
      const answer = await answered(stdin, (signal) =>
        input({ message: printable(message), validate, default: otherwise ?? '', theme }, { ...streams, signal }),
      )
      if (faults === MOST_TRIES) throw new Unanswered('too many tries')
      return answer
    },
    async choose({ message, words, otherwise }) {
      const { default: select } = await import('@inquirer/select')
      return answered(stdin, (signal) =>
        select(
          { message: printable(message), choices: words.map(choiceOf), default: otherwise ?? '', loop: false, theme },
          { ...streams, signal },
        ),
      )
    },
  }
}

/** The expected word may be a name from the service, so it is made printable. */
function choiceOf(word: string): { readonly name: string; readonly value: string } {
  return { name: printable(word), value: word }
}

/** The library notices Ctrl-C, but not the end of the input: it would wait for ever. */
async function answered(
  stdin: CommandContext['stdin'],
  ask: (signal: AbortSignal) => Promise<string>,
): Promise<string> {
  if (stdin.readableEnded) throw new Unanswered('ended')
  const ended = new AbortController()
  // Readline pauses its input when the input ends, and for Ctrl-D on an empty line.
  const end = () => ended.abort()
  stdin.once('pause', end)
  try {
    return await ask(ended.signal)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.name === 'ExitPromptError') throw new Unanswered('interrupted', { cause: error })
    throw error.name === 'AbortPromptError' ? new Unanswered('ended', { cause: error }) : error
  } finally {
    stdin.off('pause', end)
  }
}
