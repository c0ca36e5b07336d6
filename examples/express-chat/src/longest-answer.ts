/** The longest answer that a model is asked for. It bounds what a message costs, and so what is held for it. */
export const longestAnswer = 100;
