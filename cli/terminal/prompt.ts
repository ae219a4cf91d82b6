// Asks a person at the terminal for a line of text, or for one of several words. No other file knows the library for
// prompts; it is loaded with the first question. How a command ends without an answer is the caller's to say.

import { printable } from '../../core/printable.ts'
import type { CommandContext } from './context.ts'

/** How many wrong answers in a row end a question, because a program may be answering. */
export const MOST_TRIES = 20

/** Ctrl-C, the end of the input (Ctrl-D), or too many wrong answers. */
export type NoAnswer = 'interrupted' | 'ended' | 'too many tries'

export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  readonly why: NoAnswer

  constructor(why: NoAnswer, options?: ErrorOptions) {
    super(`a question has no answer: ${why}`, options)
    this.why = why
  }
}

export interface LineQuestion {
  readonly message: string
  /** The answer where the person types nothing. */
  readonly otherwise?: string | undefined
  /** What is wrong with an answer, on one line. The question is then open until another answer is right. */
  readonly faultOf?: (answer: string) => string | undefined
}

export interface ChoiceQuestion {
  readonly message: string
  readonly words: readonly string[]
  /** The word that stands chosen at first. */
  readonly otherwise?: string | undefined
}

/** The library would put a tick before an answered question, also where the answer was no. */
const theme = { prefix: '?' }

/** Somebody who can be asked. Each question rejects with Unanswered. */
export interface Person {
  line(question: LineQuestion): Promise<string>
  choose(question: ChoiceQuestion): Promise<string>
}

/** Undefined where nobody can be asked: input or output is no terminal, or the output is JSON. */
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
        // The library cannot be stopped in here. It takes the last answer, which is then refused below.
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

/** A word may be a name that the service gave. */
function choiceOf(word: string): { readonly name: string; readonly value: string } {
  return { name: printable(word), value: word }
}

/** The library notices Ctrl-C by itself, and the end of the input not at all: it would wait for ever. */
async function answered(
  stdin: CommandContext['stdin'],
  ask: (signal: AbortSignal) => Promise<string>,
): Promise<string> {
  if (stdin.readableEnded) throw new Unanswered('ended')
  const ended = new AbortController()
  // Readline pauses its input when that ends, and for Ctrl-D on an empty line.
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
