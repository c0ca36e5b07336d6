import type { NotedReservation, ReservationJournal } from "@creditgate/core/adapter";
import type { FleetJournal } from "./fleet-journal.ts";
import { type FleetRows, reservationItem } from "./fleet-rows.ts";
import { packReservation } from "./stored-item.ts";

/** The reservations of credits that processes may have in a shared ledger, among the rows of an outbox. */
export class FleetReservations implements ReservationJournal {
  readonly #rows: FleetRows;
  readonly #journal: FleetJournal;

  constructor(rows: FleetRows, journal: FleetJournal) {
    this.#rows = rows;
    this.#journal = journal;
  }

  begin(reservation: NotedReservation): Promise<void> {
    const text = packReservation(reservation, Date.now());
    return this.#journal.write({
      items: () => [reservationItem(reservation)],
      plan: (plan) => {
        if (this.#rows.reservation(reservation) !== undefined) return;
        plan.add(text);
        plan.changeLedger(reservation.process, 1);
      },
      done: ([place], lane) => {
        if (place !== undefined) this.#rows.addReservation(reservation, text, place, lane);
      },
    });
  }

  end(account: string, processes: readonly string[]): Promise<void> {
    return this.#journal.write({
      items: () => processes.map((process) => reservationItem({ account, process })),
      plan: (plan) => {
        for (const process of new Set(processes)) {
          const row = this.#rows.reservation({ account, process });
          if (row === undefined) continue;
          plan.drop(row.place);
          plan.changeLedger(process, -1);
        }
      },
      done: () => {
        for (const process of processes) this.#rows.removeReservation({ account, process });
      },
    });
  }

  /** Those that no living process can have. */
  gone(which: "all" | "fresh"): readonly NotedReservation[] {
    const rows = this.#rows.reservations().filter(({ reservation, isOwn, isFresh }) => {
      return !isOwn && (isFresh || which === "all") && this.#journal.isGone(reservation.process);
    });
    return rows.map(({ reservation }) => reservation);
  }
}
