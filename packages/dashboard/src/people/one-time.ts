/** A link for one person, to be shown this once. */
export interface OneTime {
  readonly link: string;
  readonly email: string;
  readonly expiresAt: string;
}
