// Finds and checks the input of a run before anything else happens, and compares two requests.
import { statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import type * as z from 'zod/mini'
import { printable } from '../../core/printable.ts'
import { checkInput } from '../../core/treasury/describe-issues.ts'
import { JsonTextError, parseJsonText } from '../../core/treasury/json-text.ts'
import { readText } from '../../place/files/text-file.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { unfit, usageError } from '../../place/operation-error.ts'

const FIX = 'correct the input and run the command again; nothing was sent'

interface InputFlags extends ConnectionFlags {
  readonly input?: string
  readonly given?: string
}

/**
 * The input, given as an option or as an argument. `example`: a command that shows how to give it.
 * @throws OperationError (exit 2) unless exactly one of them is given
 */
export function inputOf({ given, input }: InputFlags, example: string): string {
  if (input !== undefined && given !== undefined) {
    const problem = `expected nothing beside it; got ${printable(given)} too`
    throw unfit('input', problem, 'leave one of them out')
  }
  const found = input ?? given ?? ''
  if (found !== '') return found
  throw unfit('input', 'expected a file, or - for standard input; got nothing', example)
}

/** Whether it can be read as a request: an existing file, or standard input. A folder cannot. */
export function isRequestFile(given: string): boolean {
  if (given === '-') return true
  return statSync(given, { throwIfNoEntry: false })?.isDirectory() === false
}

/** @throws OperationError (exit 2) with one line for each finding: field, expectation, what was found. */
export async function readRequest<Request>(
  file: string,
  schema: z.ZodMiniType<Request>,
  stdin: Readable,
): Promise<Request> {
  return parseRequest(await readText(file, 'input', stdin), schema)
}

export function parseRequest<Request>(text: string, schema: z.ZodMiniType<Request>): Request {
  const input = parseInputText(text)
  const parsed = checkInput(schema, input, 'input')
  if ('data' in parsed) return parsed.data
  throw usageError('input', parsed.findings.join('\n'), FIX)
}

function parseInputText(text: string): unknown {
  try {
    return parseJsonText(text)
  } catch (error) {
    if (error instanceof JsonTextError) throw usageError('input', `input: ${error.message}`, FIX)
    throw error
  }
}

/**
 * The fields in which two requests differ. Values are compared as they are written, so nothing is guessed to be the
 * same.
 */
export function differingFields(first: unknown, second: unknown): string[] {
  const left = fieldsOf(first)
  const right = fieldsOf(second)
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].filter((name) => sortedText(left[name]) !== sortedText(right[name])).sort()
}

/** JSON with sorted fields, because a journal does not keep their order. */
function sortedText(value: unknown): string | undefined {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([first], [second]) => (first < second ? -1 : 1)))
      : inner,
  )
}

function fieldsOf(request: unknown): Record<string, unknown> {
  return typeof request === 'object' && request !== null ? { ...request } : { input: request }
}
