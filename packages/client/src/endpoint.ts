export interface Endpoint {
  readonly name: string;
}
export const stub: Endpoint = { name: "stub" };
