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
  /** The budget that stands in the way. */
  readonly budget?: {
    /** Absent: the budget of a run. */
    readonly key?: string;
    readonly limit?: number;
    readonly left?: number;
    /** In ISO 8601. */
    readonly resetsAt?: string;
  };
}

/** Whether a budget stands in the way: a payment does not help. */
export function isOfBudget({ code }: Denial): boolean {
  return code === "budget_exceeded" || code === "budget_unknown";
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
  const { type, code, title, required, available, retryable, recommendedAction, actionUrl, budget } =
    problem as {
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
    ...(typeof budget === "object" && budget !== null && { budget: parseBudget(budget) }),
  };
}

function parseBudget(budget: object): NonNullable<Denial["budget"]> {
  const { key, limit, left, resetsAt } = budget as {
    readonly [Field in keyof NonNullable<Denial["budget"]>]?: unknown;
  };
  return {
    ...(typeof key === "string" && { key }),
    ...(typeof limit === "number" && { limit }),
    ...(typeof left === "number" && { left }),
    ...(typeof resetsAt === "string" && { resetsAt }),
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
