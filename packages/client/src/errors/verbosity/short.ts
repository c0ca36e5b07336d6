/** In a bundle for the edge a message names what it is about and its code: `creditgate explain CODE` and the documentation have the rest. */
export const verbose: boolean = false;
