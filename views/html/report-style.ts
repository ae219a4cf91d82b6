// The style of a report: that of the console, which a page that stands by itself has in it, and what paper needs.
import { readFileSync } from 'node:fs'

const styleOf = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

/** Without comments and indentation. Text of this repo only. */
export const REPORT_STYLE = [styleOf('../../console/assets/console.css'), styleOf('./report.css')]
  .join('\n')
  .replace(/\/\*[\s\S]*?\*\//g, '')
  .replace(/\n\s*/g, '\n')
  .trim()
