// Readers of fields that several types of state share: paths, templates and transitions. Each throws a Refusal that
// names the field.

import { Refusal } from '../aws-error.ts'
import type { Fields } from '../fields.ts'
import type { Next, Selection } from './definition.ts'
import { type Path, PathError, parsePath } from './path.ts'
import { type PayloadTemplate, parseTemplate } from './payload-template.ts'

export function parseInputAndOutput(fields: Fields): { readonly inputPath: Selection; readonly outputPath: Selection } {
  return { inputPath: parseSelection(fields, 'InputPath'), outputPath: parseSelection(fields, 'OutputPath') }
}

/** Returns a path, null, or undefined when the field is absent. */
export function parseSelection(fields: Fields, name: string): Selection {
  if (fields.raw(name) === null) return null
  const path = findPath(fields, name)
  if (name === 'ResultPath' && path?.source === 'context')
    throw fields.refuse(name, 'cannot write to the context object')
  return path
}

export function findPath(fields: Fields, name: string): Path | undefined {
  const text = fields.findText(name)
  try {
    return text === undefined ? undefined : parsePath(text)
  } catch (error) {
    if (error instanceof PathError) throw fields.refuse(name, error.message)
    throw error
  }
}

/** Reads a path into the state's data. Whether AWS accepts a path into the context object here was never recorded. */
export function findDataPath(fields: Fields, name: string): Path | undefined {
  const path = findPath(fields, name)
  if (path?.source === 'context') throw fields.refuse(name, 'must lead into the data ($), not the context object ($$)')
  return path
}

/** Reads a payload template, which must be an object. */
export function findTemplate(fields: Fields, name: string): PayloadTemplate | undefined {
  if (!fields.has(name)) return undefined
  fields.object(name)
  return parseTemplate(fields.raw(name), `${fields.where}.${name}`)
}

/** Returns `Next`, or undefined for `"End": true`. */
export function parseNext(fields: Fields): Next {
  const next = fields.findText('Next')
  const end = fields.findFlag('End')
  if ((next !== undefined) === (end !== undefined) || end === false)
    throw new Refusal(fields.where, 'exactly one of Next and "End": true')
  return next
}
