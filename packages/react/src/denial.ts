/** As much of a denial of the gate as a customer needs. Amounts are credits. */
export interface Denial {
  readonly code: string;
  readonly title: string;
  /** What the request needed to hold, at least. */
  readonly required: number;
  /** What the wallet could still pay; absent where not known. */
  readonly available?: number;
  /** The same request may be let in soon without a payment. */
  readonly retryable: boolean;
  /** What the billing service recommends: `create_order`, `upgrade`, `complete_payment` or another word of its own. */
  readonly recommendedAction?: string;
  /** Where the customer can do something about it: a path, or an address of the web. */
  readonly actionUrl?: string;
}

const kind = "urn:creditgate:denial:";

/** The denial in a response of the gate; `undefined` for every other response. Reads the body. Never rejects. */
export async function readDenial(response: Response): Promise<Denial | undefined> {
  if (response.status !== 402 || !isProblem(response)) return undefined;
  try {
    return parseDenial(await response.json());
  } catch {
    return undefined;
  }
}

function isProblem({ headers }: Response): boolean {
  return /^application\/problem\+json\b/i.test(headers.get("content-type") ?? "");
}

function parseDenial(problem: unknown): Denial | undefined {
  if (typeof problem !== "object" || problem === null) return undefined;
  const { type, code, title, required, available, retryable, recommendedAction, actionUrl } = problem as {
    readonly [Field in keyof Denial | "type"]?: unknown;
  };
  if (typeof type !== "string" || !type.startsWith(kind)) return undefined;
  if (typeof code !== "string" || typeof title !== "string" || typeof required !== "number") return undefined;
  return {
    code,
    title,
    required,
    retryable: retryable === true,
    ...(typeof available === "number" && { available }),
    ...(typeof recommendedAction === "string" && { recommendedAction }),
    ...(typeof actionUrl === "string" && isLink(actionUrl) && { actionUrl }),
  };
}

/** A link to `javascript:` would run in the page. */
function isLink(address: string): boolean {
  try {
    return /^https?:$/.test(new URL(address, "https://page.invalid").protocol);
  } catch {
    return false;
  }
}
