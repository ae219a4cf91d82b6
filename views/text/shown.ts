// The one module of shown text for the faces: text of others made harmless, and counts with their nouns.
export { counted, printable, printableJson, printableLines } from '../../core/printable.ts'
