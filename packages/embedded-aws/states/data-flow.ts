// Implements the data flow through a state: InputPath and Parameters for the input; ResultSelector, ResultPath and
// OutputPath for the output. Source: Amazon States Language, "Input and Output Processing".
import type { Selection } from './definition.ts'
import type { Json } from './json.ts'
import { readAt, type Scope, writeAt } from './path.ts'
import { fillTemplate, type PayloadTemplate } from './payload-template.ts'

export function select(selection: Selection, scope: Scope, field: string): Json {
  if (selection === null) return {}
  return selection === undefined ? scope.data : readAt(selection, scope, field)
}

/** Returns the scope that the state's own work sees. */
export function effectiveInput(
  state: { readonly inputPath: Selection; readonly parameters?: PayloadTemplate | undefined },
  scope: Scope,
): Scope {
  const data = select(state.inputPath, scope, 'InputPath')
  if (state.parameters === undefined) return { ...scope, data }
  return { ...scope, data: fillTemplate(state.parameters, { ...scope, data }) }
}

/** Combines result and input: `null` keeps the input, `$` replaces it, and another path puts the result into it. */
export function combine(resultPath: Selection, input: Json, result: Json): Json {
  if (resultPath === null) return input
  return resultPath === undefined ? result : writeAt(resultPath, input, result)
}

export function output(selection: Selection, scope: Scope): Json {
  return select(selection, scope, 'OutputPath')
}
