// How data passes through a state: InputPath and Parameters on the way in, ResultSelector,
// ResultPath and OutputPath on the way out. Source: Amazon States Language, "Input and Output Processing".
import type { Selection } from './definition.ts'
import type { Json } from './json.ts'
import { readAt, type Scope, writeAt } from './path.ts'
import { fillTemplate, type PayloadTemplate } from './payload-template.ts'

export function select(selection: Selection, scope: Scope, field: string): Json {
  if (selection === null) return {}
  return selection === undefined ? scope.data : readAt(selection, scope, field)
}

/** The scope that a state's own work sees. */
export function effectiveInput(
  state: { readonly inputPath: Selection; readonly parameters?: PayloadTemplate | undefined },
  scope: Scope,
): Scope {
  const data = select(state.inputPath, scope, 'InputPath')
  if (state.parameters === undefined) return { ...scope, data }
  return { ...scope, data: fillTemplate(state.parameters, { ...scope, data }) }
}

/** `null` keeps the input, `$` replaces it, anything else puts the result into it. */
export function combine(resultPath: Selection, input: Json, result: Json): Json {
  if (resultPath === null) return input
  return resultPath === undefined ? result : writeAt(resultPath, input, result)
}

export function output(selection: Selection, scope: Scope): Json {
  return select(selection, scope, 'OutputPath')
}
