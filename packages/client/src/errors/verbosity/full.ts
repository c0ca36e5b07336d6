/** Whether messages say what was expected and what to do. */
export const verbose: boolean = true;
