/**
 * What becomes of a request: it finds no one; it is lost, or its answer is; it is answered 503; it arrives, but only after the
 * next one that is sent, when its sender has long given it up; it arrives twice.
 */
export const faults = ["refused", "lost", "answer lost", "503", "overtaken", "doubled"] as const;

/** `rejected`: it is answered 400, as by the service. */
export type Fault = (typeof faults)[number] | "rejected";

/** A `fetch` whose network fails as a test says. */
export class Network {
  /** The paths of all requests that were sent, in order. */
  readonly sent: string[] = [];
  /** The fault of the next requests whose path ends so, by path, in order. */
  readonly plans = new Map<string, Fault[]>();
  /** Told of each request before it goes on. */
  onSend: (path: string) => void = () => {};
  /** Decides where there is no plan. */
  otherwise: (path: string) => Fault | undefined = () => undefined;
  #underWay = 0;
  #quiet: (() => void)[] = [];
  #overtaken: (() => Promise<unknown>)[] = [];

  readonly fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    this.#underWay++;
    try {
      return await this.#carry(String(url), init);
    } finally {
      this.#underWay--;
      if (this.#underWay === 0) for (const resolve of this.#quiet.splice(0)) resolve();
    }
  };

  /** Resolves when no request is under way, and all that can run has run. */
  async quiet(): Promise<void> {
    do {
      if (this.#underWay > 0) await new Promise<void>((resolve) => this.#quiet.push(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#underWay > 0);
  }

  async #carry(url: string, init: RequestInit | undefined): Promise<Response> {
    const path = new URL(url).pathname;
    this.sent.push(path);
    this.onSend(path);
    const fault = this.plans.get(path)?.shift() ?? this.otherwise(path);
    // With its body: what is still to be read would be neither under way nor done.
    const carry = async () => {
      const response = await fetch(url, { ...init, signal: null });
      const body = await response.arrayBuffer();
      return new Response(body.byteLength === 0 ? null : body, response);
    };
    if (fault === "refused") throw failure("ECONNREFUSED");
    if (fault === "lost") throw failure("ECONNRESET");
    if (fault === "rejected") return Response.json({ code: "invalid_request" }, { status: 400 });
    if (fault === "503") return new Response("", { status: 503 });
    if (fault === "overtaken") {
      this.#overtaken.push(carry);
      throw failure("ECONNRESET");
    }
    const answered = await carry();
    if (fault === "doubled") await carry();
    for (const late of this.#overtaken.splice(0)) await late();
    if (fault === "answer lost") throw failure("ECONNRESET");
    return answered;
  }
}

function failure(code: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
}
