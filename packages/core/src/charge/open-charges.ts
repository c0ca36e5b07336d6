interface Link<Charge> {
  before: Charge | undefined;
  after: Charge | undefined;
}

/** The charges whose work has not ended. A list of links, since a set would cost each request as much as its decision. */
export class OpenCharges<Charge extends Link<Charge>> {
  #last: Charge | undefined;

  get isEmpty(): boolean {
    return this.#last === undefined;
  }

  add(charge: Charge): void {
    charge.before = this.#last;
    if (this.#last !== undefined) this.#last.after = charge;
    this.#last = charge;
  }

  delete(charge: Charge): void {
    const { before, after } = charge;
    if (before !== undefined) before.after = after;
    if (after !== undefined) after.before = before;
    else if (this.#last === charge) this.#last = before;
    charge.before = undefined;
    charge.after = undefined;
  }

  /** The youngest first. */
  all(): readonly Charge[] {
    const charges: Charge[] = [];
    for (let link = this.#last; link !== undefined; link = link.before) charges.push(link);
    return charges;
  }
}
