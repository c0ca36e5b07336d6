import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { dayOf } from "../parts/day-span.tsx";
import { keyOf } from "../parts/key-of.ts";
import { organizationRoute } from "../shell/routes.ts";
import { type BooksSearch, periods, shown } from "./search.ts";

export const booksRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/books",
  component: lazyRouteComponent(() => import("./books-page.tsx"), "BooksPage"),
  validateSearch({ show, period, from, to }): BooksSearch {
    const [list, chosen] = [keyOf(shown, show), keyOf(periods, period)];
    return {
      ...(list === undefined ? {} : { show: list }),
      ...(chosen === undefined ? {} : { period: chosen }),
      ...dayOf("from", from),
      ...dayOf("to", to),
    };
  },
});
