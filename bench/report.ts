/** A line of the report: what was measured, and the figures. */
export type Report = (line: string) => void
