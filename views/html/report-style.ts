// Joins the style sheet of a report: the console's, and the rules for paper. A report contains the sheet inline.
import { readFileSync } from 'node:fs'

const styleOf = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

/** Without comments and indentation. It is text of this repository, so it needs no escaping. */
export const REPORT_STYLE = [styleOf('../../console/assets/console.css'), styleOf('./report.css')]
  .join('\n')
  .replace(/\/\*[\s\S]*?\*\//g, '')
  .replace(/\n\s*/g, '\n')
  .trim()
