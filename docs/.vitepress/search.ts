import type { DefaultTheme } from "vitepress";

/** MiniSearch in the page. Its functions are sent to the browser as text: they use nothing from outside. */
export const search: NonNullable<DefaultTheme.Config["search"]> = {
  provider: "local",
  options: {
    detailedView: true,
    miniSearch: {
      options: {
        // A code is found by its whole name and by its words.
        tokenize: (text) => {
          const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
          return words.flatMap((word) => (word.includes("_") ? [word, ...word.split("_")] : [word]));
        },
        processTerm: (term) => {
          if (
            /^(?:a|an|and|are|at|by|do|does|for|how|i|if|in|is|it|my|of|on|or|the|this|to|was|what|when|which|why|with)$/.test(
              term,
            )
          )
            return null;
          // Plurals and forms of a verb find each other: processes, process; billing, bill; held stays.
          return term.length < 4
            ? term
            : term.replace(/(?:sses|ies|s|ing|ed)$/, (end) =>
                end === "sses" ? "ss" : end === "ies" ? "y" : "",
              );
        },
      },
      searchOptions: {
        fuzzy: (term) => (term.length > 4 ? 0.2 : false),
        prefix: (term) => term.length > 3,
        boost: { title: 5, titles: 2, text: 1 },
        // A page that answers a question comes before one that mentions its words.
        boostDocument: (id) =>
          id.startsWith("/concepts/") || id.startsWith("/errors/")
            ? 1.6
            : /^\/(?:decisions\/|changelog|reference\/)/.test(id)
              ? 0.5
              : 1,
      },
    },
  },
};
