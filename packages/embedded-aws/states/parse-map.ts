// Reads a Map state in inline mode. Refuses distributed mode, which starts child executions.
import type { Fields } from '../fields.ts'
import type { MapState, StateGraph } from './definition.ts'
import { parseCatchers, parseRetriers } from './parse-attempts.ts'
import { findPath, findTemplate, parseInputAndOutput, parseNext, parseSelection } from './state-fields.ts'

const MOST_CONCURRENCY = 10_000

export function parseMap(name: string, fields: Fields, parseProcessor: (processor: Fields) => StateGraph): MapState {
  const processor = fields.object('ItemProcessor')
  processor.findText('Comment')
  if (processor.has('ProcessorConfig')) {
    const config = processor.object('ProcessorConfig')
    const mode = config.findText('Mode') ?? 'INLINE'
    if (mode !== 'INLINE') throw config.refuse('Mode', 'only INLINE is supported')
    config.close()
  }
  const graph = parseProcessor(processor)
  processor.close()
  return {
    type: 'Map',
    name,
    ...parseInputAndOutput(fields),
    itemsPath: findPath(fields, 'ItemsPath'),
    itemSelector: findTemplate(fields, 'ItemSelector'),
    processor: graph,
    maxConcurrency: fields.findWhole('MaxConcurrency', 0, MOST_CONCURRENCY) ?? 0,
    resultSelector: findTemplate(fields, 'ResultSelector'),
    resultPath: parseSelection(fields, 'ResultPath'),
    retry: parseRetriers(fields),
    catch: parseCatchers(fields),
    next: parseNext(fields),
  }
}
