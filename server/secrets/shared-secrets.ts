import { isSealed, SecretBox } from './secret-box.ts'

/**
 * The secrets in tables that were there before secrets were sealed. A node of an earlier version takes what is stored there as
 * the secret itself, so nothing is sealed while one may be running (server/webhooks/secret-sealer.ts).
 */
export class SharedSecrets {
  readonly box: SecretBox
  /** Whether every node opens sealed secrets. */
  isSealing: boolean

  constructor(box = new SecretBox(), isSealing = false) {
    this.box = box
    this.isSealing = isSealing
  }

  /** Leaves what is sealed already. */
  seal(secret: string, place: string): string {
    return this.isSealing && !isSealed(secret) ? this.box.seal(secret, place) : secret
  }

  open(stored: string, place: string): string {
    return this.box.open(stored, place)
  }
}
