/** Whether messages say what was expected and what to do. Apart from all else, as bundlers know the value of a file without imports. */
export const verbose: boolean = true;
