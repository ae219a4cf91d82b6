// Returns the path of the tables within a state directory. The function has its own file, so that checking for tables
// loads no database.
import path from 'node:path'

export function databaseFolder(stateDir: string): string {
  return path.join(stateDir, 'dynamodb')
}
