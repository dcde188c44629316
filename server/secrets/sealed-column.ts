import type { EnvironmentId } from '../database/database.ts'

/** A column with sealed secrets. Whoever writes it declares it, so that a rotation of the key finds it. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** As `jsonb` the sealed secrets are strings in it. */
  readonly type: 'text' | 'jsonb'
  /** The column that tells the rows of an environment apart. */
  readonly id: string
  readonly idType: 'text' | 'uuid' | 'int'
  /** Where the secrets of a row are sealed for. */
  readonly place: (environmentId: EnvironmentId, id: string) => string
}
